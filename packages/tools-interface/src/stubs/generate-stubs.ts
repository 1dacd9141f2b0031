import { isJsonObject, type JsonSchema } from "../json.ts";
import type { AnyTool } from "../tool.ts";
import { toIdentifiers } from "./identifier.ts";
import { jsonSchemaToType, type References } from "./json-schema-to-type.ts";

/** Options of `generateStubs`. */
export interface StubOptions {
  /** Names of tools to leave out. Default none. */
  readonly exclude?: readonly string[];
}

const BRIDGE = "declare function __callTool__(name: string, params: unknown): Promise<any>;";

/**
 * TypeScript source with one function for each tool. Every function passes its parameters to `__callTool__`, which
 * the place where the source runs must provide. Compiles by itself under `tsc --strict`.
 */
export function generateStubs(tools: readonly AnyTool[], { exclude = [] }: StubOptions = {}): string {
  const wanted = tools.filter(({ name }) => !exclude.includes(name));
  const identifiers = toIdentifiers(wanted.map(({ name }) => name));
  const aliases = new Aliases(new Set(identifiers.values()));
  const functions = wanted.map((tool) => stub(tool, identifiers.get(tool.name) ?? tool.name, aliases));
  return [BRIDGE, ...aliases.declarations, ...functions, ""].join("\n");
}

function stub({ name, description, parameters, output }: AnyTool, identifier: string, aliases: Aliases): string {
  const params = jsonSchemaToType(parameters, aliases.of(`${pascalCase(identifier)}Params`, parameters));
  const answer =
    output === undefined ? "unknown" : jsonSchemaToType(output, aliases.of(`${pascalCase(identifier)}Output`, output));
  const required = parameters["required"];
  const byDefault = Array.isArray(required) && required.length === 0 ? " = {}" : "";
  return [
    `/** ${commentText(description)} */`,
    `async function ${identifier}(params: ${params}${byDefault}): Promise<${answer}> {`,
    `  return __callTool__(${JSON.stringify(name)}, params);`,
    "}",
  ].join("\n");
}

/** Text that cannot end the comment it stands in, nor start a line of its own. */
function commentText(text: string): string {
  return text
    .replaceAll(/\s+/gu, " ")
    .replaceAll("*/", "*\\/")
    .replaceAll(/[\u2028\u2029]/g, " ")
    .trim();
}

/** Named types for what schemas refer to, which is what makes recursion printable. */
class Aliases {
  readonly declarations: string[] = [];
  readonly #taken: Set<string>;
  /** Which aliases each alias names outside of objects and arrays. TypeScript allows no circle among these. */
  readonly #unguarded = new Map<string, Set<string>>();

  constructor(taken: Set<string>) {
    this.#taken = taken;
  }

  /** References of one schema document; the names of their aliases start with `prefix`. */
  of(prefix: string, root: JsonSchema): References {
    const names = new Map<string, string>();
    const within = (current: string | undefined): References => ({
      resolve: (reference, guarded) => {
        const alias = names.get(reference) ?? this.#declare(prefix, root, reference, names, within);
        if (alias === undefined || current === undefined || guarded) return alias;
        if (this.#reaches(alias, current)) return undefined;
        this.#unguarded.get(current)?.add(alias);
        return alias;
      },
    });
    return within(undefined);
  }

  #declare(
    prefix: string,
    root: JsonSchema,
    reference: string,
    names: Map<string, string>,
    within: (alias: string) => References,
  ): string | undefined {
    const target = lookUp(root, reference);
    if (target === undefined) return undefined;
    const alias = this.#name(`${prefix}${pascalCase(reference.split("/").at(-1) ?? "")}`);
    // Known before it is printed: a recursive schema meets its own name inside.
    names.set(reference, alias);
    this.#unguarded.set(alias, new Set());
    const position = this.declarations.push("") - 1;
    this.declarations[position] = `type ${alias} = ${jsonSchemaToType(target, within(alias))};`;
    return alias;
  }

  #reaches(from: string, to: string): boolean {
    return from === to || [...(this.#unguarded.get(from) ?? [])].some((next) => this.#reaches(next, to));
  }

  #name(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${wanted}${number}`;
    this.#taken.add(name);
    return name;
  }
}

function pascalCase(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** What a local reference (`#`, `#/$defs/node`) points to. */
function lookUp(root: JsonSchema, reference: string): unknown {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const segment of reference.split("/").slice(1)) {
    const key = decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~");
    target = isJsonObject(target) || Array.isArray(target) ? (target as Record<string, unknown>)[key] : undefined;
  }
  return target;
}
