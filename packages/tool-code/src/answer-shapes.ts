import type { CodeError } from "./code-outcome.ts";

/** Tools named after a failure, the last that answered. */
const MAX_TOOLS = 3;
const MAX_CHARS = 400;
const MAX_DEPTH = 4;
const MAX_FIELDS = 12;

/** Records the shapes of the answers that one program received: most failing programs guessed them wrong. */
export class AnswerShapes {
  readonly #shapes = new Map<string, string>();

  /** Remembers the shape of a tool's first answer, and that it answered last. */
  add(tool: string, answer: unknown): void {
    const shape = this.#shapes.get(tool) ?? cut(shapeOf(answer, 0));
    this.#shapes.delete(tool);
    this.#shapes.set(tool, shape);
  }

  /**
   * Possible explanations of a failure for a model, one line per tool. Only an operation on a value of the wrong kind
   * is explained.
   */
  explain({ kind, message }: CodeError): readonly string[] {
    if (kind !== "runtime" || !message.startsWith("TypeError")) return [];
    return [...this.#shapes].slice(-MAX_TOOLS).map(([tool, shape]) => `${tool}: ${shape}`);
  }
}

function shapeOf(value: unknown, depth: number): string {
  if (value === null) return "null";
  if (typeof value === "string") return /^\s*[[{]/.test(value) ? "string, perhaps JSON" : "string";
  if (typeof value !== "object") return typeof value;
  const isList = Array.isArray(value);
  const keys = isList ? [] : Object.keys(value);
  if (isList ? value.length === 0 : keys.length === 0) return isList ? "[]" : "{}";
  if (depth === MAX_DEPTH) return isList ? "[…]" : "{…}";
  if (isList) return `[${shapeOf(value[0], depth + 1)}]`;
  const fields = keys
    .slice(0, MAX_FIELDS)
    .map((key) => `${nameOf(key)}: ${shapeOf((value as Record<string, unknown>)[key], depth + 1)}`);
  return `{ ${[...fields, ...(keys.length > MAX_FIELDS ? ["…"] : [])].join(", ")} }`;
}

/** A key may be any text, of anyone. */
function nameOf(key: string): string {
  return /^[\w$]{1,60}$/.test(key) ? key : JSON.stringify(key.slice(0, 60)).replace(/[\u007f-\u009f\u2028\u2029]/g, "");
}

function cut(shape: string): string {
  return shape.length > MAX_CHARS ? `${shape.slice(0, MAX_CHARS)}…` : shape;
}
