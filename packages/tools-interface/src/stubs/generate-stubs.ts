import type { AnyTool } from "../call/tool.ts";
import { checkOptions, type OptionNames } from "../error/check-options.ts";
import { lineComment } from "./doc-comment.ts";
import { type StubDetail, type ToolStub, toolStubs } from "./tool-stub.ts";

/**
 * TypeScript source with one function for each tool. Every function passes its parameters to `__callTool__`, which the
 * place where the source runs must provide. Compiles under `tsc --strict` as a module or the end of one. The same tools
 * in the same order give the same source.
 *
 * A literal that its schema accepts is assignable to the type, where fields count only if a part of the schema that
 * applies names them, or lets objects have others (`additionalProperties`, `patternProperties`). Other fields are type
 * errors, although a call with them may pass: validation drops them, or leaves them alone under a union or a reference.
 * Enums, constants, tuples, records, discriminated unions and recursive schemas are exact. If TypeScript cannot express
 * a constraint the type is wider, never narrower: bounds, patterns, formats, integers, `not`, conditions, a `oneOf`
 * that must not match twice, unions of objects that share no constant, objects that are closed and no literal, typed
 * fields beside others of another type. A schema without a `type` accepts values of every kind, and prints so.
 *
 * Parameters have the type of a caller's input: fields with a default may be left out. Answers have the type of the
 * tool's declared `output`, against which every success is checked when it runs; without one they are `unknown`.
 *
 * @throws {RangeError} When `maxTokens` is not a number above 0.
 */
export function generateStubs(tools: readonly AnyTool[], options: StubOptions = {}): string {
  return printStubs(toolStubs(tools), options);
}

/** Options of `generateStubs`. */
export interface StubOptions {
  /** Names of tools to leave out. Default none. */
  readonly exclude?: readonly string[];
  /** The highest level of detail. Default `full`. */
  readonly detail?: StubDetail;
  /**
   * Limit of the source in tokens, at four characters a token (measured with o200k_base: 3.6 to 4.4). Within it,
   * declarations show first the names of all tools, then as many of the first as fit as signatures, then with all
   * documentation. Functions are all there with less detail, or else as many of the first as fit. A comment counts the
   * omissions, and stays even beyond the limit. Default no limit.
   */
  readonly maxTokens?: number;
  /**
   * Whether to print declarations without bodies, to be read by a model. Where the program runs it needs the functions
   * themselves, which have the same names. Default false.
   */
  readonly declarations?: boolean;
  /**
   * How to learn the parts omitted to satisfy `maxTokens` or `detail`, one sentence for a model, such as the name of a
   * function that prints a stub. Default: calls that do not fit are answered with an example that does.
   */
  readonly hint?: string;
}

/** Generic, because not even `any` is assignable to a type that no value has. */
const BRIDGE = "declare function __callTool__<T>(name: string, params: unknown): Promise<T>;\n";
const HINT = "A call with parameters that do not fit is told what does.";
const CHARS_PER_TOKEN = 4;

/**
 * The level of detail of one tool. A function in a list has a name and nothing else: only a declaration can stand
 * there.
 */
type Level = "omitted" | "listed" | StubDetail;

/** Characters of a line of names. */
const LINE_CHARS = 110;

const STUB_OPTIONS: OptionNames<StubOptions> = {
  exclude: true,
  detail: true,
  maxTokens: true,
  declarations: true,
  hint: true,
};

/**
 * The source of stubs within a limit: first the names of all, then signatures, then documentation, each for as many of the
 * first as fit. Where not all names fit: those of the first, and the count of the rest.
 */
export function printStubs(all: readonly ToolStub[], options: StubOptions = {}): string {
  checkOptions("generate stubs", options, STUB_OPTIONS);
  const { exclude = [], detail = "full", maxTokens = Infinity, declarations = false, hint = HINT } = options;
  if (!(maxTokens > 0)) {
    throw new RangeError(`Cannot generate stubs: maxTokens is ${maxTokens}, allowed is a number above 0`);
  }
  const stubs = all.filter(({ name }) => !exclude.includes(name));
  const levels = levelsOf(detail, declarations);
  const printed = new Map<Level, readonly string[]>();
  const print = (level: Level): readonly string[] => {
    const parts =
      printed.get(level) ?? stubs.map((stub) => (isStub(level) ? stub.print(level, declarations) : stub.identifier));
    printed.set(level, parts);
    return parts;
  };
  /** The first `count` at a level, the others at the one below. */
  const source = (at: number, count: number): string => {
    const [level = "omitted", below = "omitted"] = [levels[at], levels[at - 1]];
    const [upper, lower] = [print(level).slice(0, count), print(below).slice(count)];
    const text = [...(isStub(level) ? upper : []), ...(isStub(below) ? lower : [])].join("");
    const listed = level === "listed" ? upper : below === "listed" ? lower : [];
    const omitted = below === "omitted" ? lower.length : 0;
    const isLess = listed.length + omitted > 0 || text !== print("full").join("");
    const lowest = count < stubs.length ? below : level;
    const note = isLess ? lineComment(`${missing(lowest, omitted, declarations)}. ${hint}`) : "";
    return (declarations ? "" : BRIDGE) + note + text + nameLines(listed);
  };
  const fits = (text: string): boolean => text.length <= maxTokens * CHARS_PER_TOKEN;

  const whole = levels.findLastIndex((_, at) => at > 0 && fits(source(at, stubs.length)));
  if (whole === levels.length - 1) return source(whole, stubs.length);
  const next = Math.max(whole, 0) + 1;
  return longestThatFits(stubs.length, (count) => source(next, count), fits);
}

/** From the least. */
function levelsOf(detail: StubDetail, declarations: boolean): readonly Level[] {
  const least: readonly Level[] = declarations ? ["omitted", "listed"] : ["omitted", "names"];
  if (detail === "names") return declarations ? [...least, "names"] : least;
  return detail === "full" ? [...least, "signatures", "full"] : [...least, "signatures"];
}

function isStub(level: Level): level is StubDetail {
  return level !== "omitted" && level !== "listed";
}

function missing(lowest: Level, omitted: number, declarations: boolean): string {
  switch (lowest) {
    case "omitted":
      return `${omitted} more functions ${declarations ? "are there that are not shown" : "are left out"}`;
    case "listed":
      return "Functions at the end stand here by their names alone";
    case "names":
      return "Some functions stand here without their types";
    case "signatures":
    case "full":
      return "Without the descriptions of fields";
  }
}

/** Names as lines of a comment. Each is an identifier. */
function nameLines(names: readonly string[]): string {
  const lines: string[] = [];
  for (const [index, name] of names.entries()) {
    const word = index < names.length - 1 ? `${name},` : name;
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < LINE_CHARS) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`// ${word}`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** The text of the most parts, up to `most`, that fits; the text of none when even that does not. Texts grow with parts. */
function longestThatFits(most: number, text: (parts: number) => string, fits: (text: string) => boolean): string {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(text(middle))) low = middle;
    else high = middle - 1;
  }
  return text(low);
}
