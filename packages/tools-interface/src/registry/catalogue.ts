import type { AnyTool, ToolDefinition } from "../call/tool.ts";
import type { WireNames } from "../call/wire-names.ts";
import { sha256 } from "../json/sha256.ts";
import { type ToolStub, toolStubs } from "../stubs/tool-stub.ts";
import type { ToolOffer } from "./tool-offer.ts";
import type { ModelTool } from "./tool-registry.ts";

/** Characters that count as a token, as `generateStubs` counts. */
const CHARS_PER_TOKEN = 4;

/** A registry's offers, in the forms in which they are sent. */
export interface Catalogue {
  readonly offers: readonly ToolOffer[];
  readonly definitions: readonly ToolDefinition[];
  readonly deferred: readonly AnyTool[];
  readonly fingerprint: string;
  /** The stubs of the tools offered to programs. */
  readonly stubs: readonly ToolStub[];
  /** The tools that go out, the search tool first where any are deferred. */
  modelTools(searchTool: AnyTool | undefined, loaded: readonly string[]): readonly ModelTool[];
}

/** An offer as it was registered. */
export type RegisteredOffer = Omit<ToolOffer, "isDeferred">;

/**
 * Creates the forms of a fixed list of tools, each at its first use: a part of every request must cost nothing to
 * build.
 *
 * @param deferAboveTokens As in the options of the registry.
 */
export function createCatalogue(
  registered: readonly RegisteredOffer[],
  names: () => WireNames,
  deferAboveTokens: number,
): Catalogue {
  const forModels = registered.filter(({ callers }) => callers.includes("model"));
  const isAbove = isAboveTokens(forModels, deferAboveTokens);
  const offers = registered.map((offer) => {
    const isDeferred = offer.callers.includes("model") && (offer.defer ?? isAbove);
    return Object.freeze({ ...offer, isDeferred });
  });
  const told = offers.filter(({ callers }) => callers.includes("model"));
  const deferred = told.filter(({ isDeferred }) => isDeferred).map(({ tool }) => tool);
  const atRest = told.filter(({ isDeferred }) => !isDeferred).map(({ tool }) => tool);
  const programs = offers.filter(({ callers }) => callers.includes("program")).map(({ tool }) => tool);

  let [definitions, fingerprint]: [readonly ToolDefinition[] | undefined, string | undefined] = [undefined, undefined];
  let [resting, stubs]: [readonly ModelTool[] | undefined, readonly ToolStub[] | undefined] = [undefined, undefined];
  const modelTool = ({ name, description, parameters }: AnyTool): ModelTool =>
    Object.freeze({ name: names().toWire(name), description, input_schema: parameters });
  return {
    offers: Object.freeze(offers),
    deferred,
    get stubs() {
      return (stubs ??= toolStubs(programs));
    },
    get definitions() {
      return (definitions ??= Object.freeze(told.map(({ tool }) => tool.definition)));
    },
    get fingerprint() {
      const parts = told.map(({ tool, isDeferred }) => tool.fingerprint + (isDeferred ? " deferred" : ""));
      return (fingerprint ??= sha256(parts.join()));
    },
    modelTools(searchTool, loaded) {
      resting ??= Object.freeze([...(searchTool === undefined ? [] : [searchTool]), ...atRest].map(modelTool));
      if (loaded.length === 0) return resting;
      const byName = new Map(deferred.map((tool) => [tool.name, tool]));
      const found = [...new Set(loaded)].flatMap((name) => byName.get(name) ?? []);
      return Object.freeze([...resting, ...found.map(modelTool)]);
    },
  };
}

/** Whether the definitions of the tools that are not deferred anyway take more than so many tokens. */
function isAboveTokens(offers: readonly RegisteredOffer[], maxTokens: number): boolean {
  if (maxTokens === Infinity) return false;
  let chars = 0;
  for (const { tool, defer } of offers) {
    if (defer === true) continue;
    chars += JSON.stringify(tool.definition).length;
    if (chars > maxTokens * CHARS_PER_TOKEN) return true;
  }
  return false;
}
