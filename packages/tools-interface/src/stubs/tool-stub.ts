import type { AnyTool } from "../call/tool.ts";
import type { JsonSchema } from "../json/json.ts";
import { docComment, docOf, summary } from "./doc-comment.ts";
import { SchemaTypes, type TypeAlias } from "./schema-types.ts";
import { OPEN_OBJECT, printType, type StubType, UNKNOWN } from "./stub-type.ts";

/**
 * The level of detail of a stub. `full`: types, and descriptions of the tool and of every field. `signatures`: types,
 * and the first sentence of the tool's description. `names`: that sentence, with parameters and answer of any type.
 */
export type StubDetail = "full" | "signatures" | "names";

/** The stub of one tool, ready to print. */
export interface ToolStub {
  readonly name: string;
  /** The name its function has. */
  readonly identifier: string;
  /** TypeScript source, with a line break at its end. `isDeclaration`: without the function's body. */
  print(detail: StubDetail, isDeclaration: boolean): string;
}

/** The stubs of tools, under names that no two share. The same tools in the same order give the same stubs. */
export function toolStubs(tools: readonly AnyTool[]): readonly ToolStub[] {
  const identifiers = toIdentifiers(tools.map(({ name }) => name));
  const taken = new Set(identifiers.values());
  return tools.map((tool) => toolStub(tool, identifiers.get(tool.name) ?? tool.name, taken));
}

function toolStub(tool: AnyTool, identifier: string, taken: Set<string>): ToolStub {
  const { name, description, parameters, output } = tool;
  const typesOf = (schema: JsonSchema, suffix: string): SchemaTypes =>
    new SchemaTypes(schema, (reference) => {
      return freeName(pascalCase(identifier) + suffix + pascalCase(reference.split("/").at(-1) ?? ""), taken);
    });
  const params = typesOf(parameters, "Params");
  const answer = output === undefined ? undefined : typesOf(output, "Output");
  const isOptional = acceptsNothing(params.type);

  const head = (taking: string, answering: string, isDeclaration: boolean): string => {
    if (isDeclaration) {
      return `declare function ${identifier}(params${isOptional ? "?" : ""}: ${taking}): Promise<${answering}>;\n`;
    }
    const start = `async function ${identifier}(params: ${taking}${isOptional ? " = {}" : ""}): Promise<${answering}> {`;
    return `${start}\n  return __callTool__(${JSON.stringify(name)}, params);\n}\n`;
  };
  return {
    name,
    identifier,
    print(detail, isDeclaration) {
      const note = detail === "full" ? docComment : undefined;
      const doc = docComment(detail === "full" ? description : summary(description));
      const aliases = [...params.aliases, ...(answer?.aliases ?? [])].map((alias) => printAlias(alias, note)).join("");
      const typed = head(printType(params.type, note), printType(answer?.type ?? UNKNOWN, note), isDeclaration);
      const untyped = head(printType(OPEN_OBJECT), printType(UNKNOWN), isDeclaration);
      // Types that take no more room than their absence stay.
      const isShort = detail === "names" && untyped.length < aliases.length + typed.length;
      return isShort ? doc + untyped : aliases + doc + typed;
    },
  };
}

function printAlias({ name, schema, type }: TypeAlias, note: typeof docComment | undefined): string {
  return `${note ? note(docOf(schema)) : ""}type ${name} = ${printType(type, note)};\n`;
}

/** True for a type of parameters of which none must be given. */
function acceptsNothing(type: StubType): boolean {
  return type.kind === "object" && type.fields.every(({ optional }) => optional);
}

/** Longer names than this say nothing to anybody. */
const MAX_NAME = 60;

function freeName(wanted: string, taken: Set<string>): string {
  const legal = (/^\d/.test(wanted) ? `_${wanted}` : wanted).slice(0, MAX_NAME);
  let name = legal;
  for (let number = 2; taken.has(name) || TAKEN.has(name); number += 1) name = `${legal}${number}`;
  taken.add(name);
  return name;
}

function pascalCase(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** Words that cannot name a function, and names that programs and the stubs themselves rely on. */
const TAKEN = new Set(
  (
    "arguments as async await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected public " +
    "return static super switch this throw true try typeof undefined var void while with yield " +
    "__callTool__ exports globalThis module require self " +
    "AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError " +
    "FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Intl " +
    "Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer " +
    "String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef " +
    "WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent escape isFinite isNaN parseFloat parseInt unescape " +
    "AbortController AbortSignal Blob Deno TextDecoder TextEncoder URL URLSearchParams atob btoa clearInterval clearTimeout " +
    "console crypto performance process queueMicrotask setInterval setTimeout structuredClone"
  ).split(" "),
);

/**
 * A legal, unique identifier for each tool name: odd characters become `_`, names that a program needs otherwise
 * (`class`, `Promise`) and leading digits get one in front, and a name that is taken by then gets a number at the end.
 * The same names in the same order give the same identifiers.
 */
export function toIdentifiers(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const identifiers = new Map<string, string>();
  // Names that need no change keep their spelling, even if registered later.
  for (const name of names.toSorted((a, b) => Number(isIdentifier(b)) - Number(isIdentifier(a)))) {
    const base = name.replaceAll(/\W/g, "_");
    const legal = TAKEN.has(base) || /^\d/.test(base) ? `_${base}` : base;
    let identifier = legal;
    for (let number = 2; taken.has(identifier); number += 1) identifier = `${legal}_${number}`;
    taken.add(identifier);
    identifiers.set(name, identifier);
  }
  return identifiers;
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !TAKEN.has(name);
}
