import type { AnyTool } from "../call/tool.ts";
import { checkOptions, type OptionNames } from "../error/check-options.ts";
import { printStubs, type StubOptions } from "./generate-stubs.ts";
import { toolStubs, type ToolStub } from "./tool-stub.ts";

const STUB_OPTIONS: OptionNames<StubOptions> = {
  exclude: true,
  detail: true,
  first: true,
  maxTokens: true,
  declarations: true,
  hint: true,
};

/** Sources kept at a time: one host asks for a few, and `maxTokens` and `hint` allow any number of different ones. */
const MAX_SOURCES = 16;

/** The stubs of a fixed list of tools. Builds them at the first use, and each source at its first use. */
export class StubCatalogue {
  readonly #tools: readonly AnyTool[];
  readonly #sources = new Map<string, string>();
  #stubs: readonly ToolStub[] | undefined;

  constructor(tools: readonly AnyTool[]) {
    this.#tools = tools;
  }

  /** See `ToolRegistry.generateStubs`. */
  source(options: StubOptions = {}): string {
    checkOptions("generate stubs", options, STUB_OPTIONS);
    const { exclude = [], first = [], detail, maxTokens, declarations, hint } = options;
    const key = JSON.stringify([exclude, first, detail, String(maxTokens), declarations, hint]);
    const known = this.#sources.get(key);
    if (known !== undefined) return known;
    const source = printStubs(this.#built, options);
    const [oldest] = this.#sources.keys();
    if (oldest !== undefined && this.#sources.size >= MAX_SOURCES) this.#sources.delete(oldest);
    this.#sources.set(key, source);
    return source;
  }

  /** See `ToolRegistry.generateStub`. */
  stub(name: string, options: Pick<StubOptions, "declarations"> = {}): string | undefined {
    checkOptions("generate a stub", options, { declarations: true });
    const { declarations = false } = options;
    return this.#built.find((stub) => stub.name === name)?.print("full", declarations);
  }

  get #built(): readonly ToolStub[] {
    return (this.#stubs ??= toolStubs(this.#tools));
  }
}
