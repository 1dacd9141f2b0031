import { isJsonObject } from "@dispatch/tools-interface/internal";
import { objectsIn } from "./read-calls.ts";

/** An object or an array whose text has begun and is not over. */
interface OpenContainer {
  /** The path of the container, as JSON text. */
  readonly path: string;
  readonly isArray: boolean;
  count: number;
}

/** One step of a path: the name of a field, or the place in an array. */
type Step = string | number;

/** More than tools have. A model must not be able to make a text that no parser takes. */
const MAX_DEPTH = 64;

/**
 * Writes the arguments of one call as JSON text while they are streamed by paths and values (`partialArgs`). Values come
 * in the order of the text: a container that was left is complete.
 */
export class GeminiArguments {
  readonly #open: OpenContainer[] = [];
  /** The paths that are written: none comes twice, or a value would be lost. */
  readonly #written = new Set<string>();
  /** The path of the string that goes on, as JSON text. */
  #string: string | undefined;
  #isSound = true;

  /** Whether every piece until now had its place. If not, the text is no JSON. */
  get isSound(): boolean {
    return this.#isSound;
  }

  /** The next piece of the text, for the next pieces of the arguments. */
  write(partialArgs: unknown): string {
    return objectsIn(partialArgs)
      .map((arg) => this.#writeOne(arg))
      .join("");
  }

  /** The text that closes the rest. */
  end(): string {
    return this.#open.length === 0 ? "{}" : this.#closeString() + this.#closeTo(0);
  }

  #writeOne({ jsonPath, willContinue, ...value }: { readonly [key: string]: unknown }): string {
    const steps = typeof jsonPath === "string" ? stepsOf(jsonPath) : undefined;
    if (steps === undefined) return this.#refuse();
    const path = JSON.stringify(steps.path);
    const isOpen = willContinue === true;
    if (this.#string === path) {
      const piece = typeof value["stringValue"] === "string" ? inner(value["stringValue"]) : "";
      return piece + (isOpen ? "" : this.#closeString());
    }
    const given = textOf(value);
    // The begin of a container says nothing that its fields do not say, nor does the end of one.
    if (given === undefined && (isOpen || this.#written.has(path))) return "";
    const text = given ?? (steps.isEmptyArray ? "[]" : "{}");
    const closed = this.#closeString();
    const opened = this.#openAt(steps.path);
    if (opened === undefined) return this.#refuse();
    if (!isOpen || typeof value["stringValue"] !== "string") return closed + opened + text;
    this.#string = path;
    return closed + opened + text.slice(0, -1);
  }

  /** Leaves the containers that do not hold the path, opens those that do, and writes its last name. */
  #openAt(path: readonly Step[]): string | undefined {
    let text = "";
    if (this.#open.length === 0) {
      this.#open.push({ path: "[]", isArray: false, count: 0 });
      text = "{";
    }
    let depth = 1;
    while (depth < path.length && this.#open[depth]?.path === JSON.stringify(path.slice(0, depth))) depth += 1;
    text += this.#closeTo(depth);
    for (; ; depth += 1) {
      const step = path[depth - 1];
      const holder = this.#open[depth - 1];
      const own = JSON.stringify(path.slice(0, depth));
      if (step === undefined || holder === undefined || this.#written.has(own)) return undefined;
      if (holder.isArray ? step !== holder.count : typeof step === "number") return undefined;
      this.#written.add(own);
      text += (holder.count === 0 ? "" : ",") + (holder.isArray ? "" : `${JSON.stringify(step)}:`);
      holder.count += 1;
      if (depth === path.length) return text;
      const isArray = typeof path[depth] === "number";
      this.#open.push({ path: own, isArray, count: 0 });
      text += isArray ? "[" : "{";
    }
  }

  #closeTo(depth: number): string {
    const left = this.#open.splice(depth).toReversed();
    return left.map(({ isArray }) => (isArray ? "]" : "}")).join("");
  }

  #closeString(): string {
    if (this.#string === undefined) return "";
    this.#string = undefined;
    return '"';
  }

  #refuse(): string {
    this.#isSound = false;
    return "";
  }
}

function textOf(value: { readonly [key: string]: unknown }): string | undefined {
  for (const key of ["stringValue", "numberValue", "boolValue"]) {
    if (value[key] !== undefined) return JSON.stringify(value[key]);
  }
  return value["nullValue"] === undefined ? undefined : "null";
}

function inner(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const STEP = /\.(?<name>[^.[\]]+)|\[(?<index>\d{1,9})\]|\[(?<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\]/gy;

/** The steps of a path such as `$.lines[0]['unit price']`; a last `[]` stands for an array without items. */
function stepsOf(jsonPath: string): { readonly path: readonly Step[]; readonly isEmptyArray: boolean } | undefined {
  const isEmptyArray = jsonPath.endsWith("[]");
  const text = jsonPath.slice(1, isEmptyArray ? -2 : undefined);
  const found = [...text.matchAll(STEP)];
  const isWhole = jsonPath.startsWith("$") && found.map(([step]) => step).join("") === text;
  if (!isWhole || found.length === 0 || found.length > MAX_DEPTH) return undefined;
  const path = found.map(({ groups = {} }): Step => {
    const { name, index, quoted = "" } = groups;
    return name ?? (index === undefined ? unquote(quoted) : Number(index));
  });
  return { path, isEmptyArray };
}

function unquote(quoted: string): string {
  return quoted.slice(1, -1).replaceAll(/\\(?:u(?<code>[\dA-Fa-f]{4})|(?<one>.))/gs, (_all, ...rest) => {
    const { code, one } = rest.at(-1) as { code?: string; one?: string };
    return code === undefined ? (ESCAPES[one ?? ""] ?? one ?? "") : String.fromCharCode(Number.parseInt(code, 16));
  });
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Whether a call's next piece is still to come. */
export function goesOn(functionCall: { readonly [key: string]: unknown }): boolean {
  const pieces = objectsIn(functionCall["partialArgs"]);
  return functionCall["willContinue"] === true || pieces.some((piece) => piece["willContinue"] === true);
}

/** Whether a part of an answer is a piece of a call that has begun before. */
export function isFurtherPiece(functionCall: unknown): functionCall is { readonly [key: string]: unknown } {
  return isJsonObject(functionCall) && functionCall["name"] === undefined;
}
