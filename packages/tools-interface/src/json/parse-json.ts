import { quote, truncate } from "../error/describe-received.ts";
import { formatPath, MAX_ISSUES, type Issue } from "../error/issue.ts";

/** A part of a JSON text that `JSON.parse` would change without a word. */
export interface JsonLoss {
  /** Keys and indices from the root to the value. */
  readonly path: Issue["path"];
  /**
   * - `repeated`: a key that an object holds twice, with the same value each time
   * - `contradicted`: a key that an object holds twice, with different values
   * - `number`: a number that arrives as another one, such as 9007199254740993 or 1e400
   * - `prototype`: a key `__proto__`, which a later copy or merge would turn into a prototype
   */
  readonly kind: "repeated" | "contradicted" | "number" | "prototype";
  /** What is wrong and the next step, without a final full stop. */
  readonly message: string;
  /** For `number`: the number as it was sent. */
  readonly digits?: string;
}

/** The text is JSON, and its value is not what it says. */
export class LossyJsonError extends SyntaxError {
  /** The first losses in the text's order, at most 100. */
  readonly losses: readonly JsonLoss[];
  /** How many more there are. */
  readonly others: number;

  constructor(losses: readonly JsonLoss[], others: number) {
    super(losses.map(({ path, message }) => `${formatPath(path)}: ${message}`).at(0));
    this.losses = losses;
    this.others = others;
  }
}

/**
 * The value of a JSON text that a model sent. `JSON.parse` keeps the last one of two equal keys, rounds integers beyond
 * 2^53, and makes an own key of `__proto__`, which validators drop: such a text is refused.
 *
 * @throws {LossyJsonError} When the value would not be what the text says.
 * @throws {SyntaxError} When the text is not JSON.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Nearly all texts end here. A walk of the value and a count in the text cost a fraction of parsing; a scan of the text is
  // several times slower than that.
  const fields = countFields(value, text);
  if (fields !== undefined && countKeys(text, fields) === fields) return value;
  const { losses, others } = findLosses(text);
  if (losses.length > 0) throw new LossyJsonError(losses, others);
  return value;
}

/** Text inside of the parameters of one call that is parsed, in characters. A longer one stays text. */
export const MAX_INNER_JSON_CHARS = 262_144;
/** Keys for whose objects an engine may set aside a place for every smaller number, of about a KiB for each character. */
const NUMBERED_KEY = /"(?:\d|\\u[\da-f]{4}){3,5}"\s*:/i;
const NUMBERED_COST = 100;

/** How much of `MAX_INNER_JSON_CHARS` it takes to parse a text: its length, and more if that hides what it needs. */
export function innerJsonCost(text: string): number {
  return text.length <= MAX_INNER_JSON_CHARS && NUMBERED_KEY.test(text) ? text.length * NUMBERED_COST : text.length;
}

/** From here on not every integer is a number. */
const FIRST_INEXACT = 2 ** 53;
/** A literal below every number but zero has three digits of exponent, or so many zeros that two are enough. */
const MAY_VANISH = /[eE]-\d{3}|\.0{200}/;

/** The number of fields in all objects of a value. `undefined` when a number or key in it may be another in the text. */
function countFields(root: unknown, text: string): number | undefined {
  let fields = 0;
  let hasZero = false;
  const open: object[] = [];
  /** Notes one value. Only numbers and containers matter. False for a number that may be another in the text. */
  const note = (value: unknown): boolean => {
    if (typeof value === "number") {
      if (value === 0) hasZero = true;
      return value < FIRST_INEXACT && value > -FIRST_INEXACT;
    }
    if (typeof value === "object" && value !== null) open.push(value);
    return true;
  };
  if (!note(root)) return undefined;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1) if (!note(value[index])) return undefined;
    } else {
      for (const key in value) {
        fields += 1;
        if (key === "__proto__" || !note((value as Record<string, unknown>)[key])) return undefined;
      }
    }
  }
  return hasZero && MAY_VANISH.test(text) ? undefined : fields;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Counts the keys in a JSON text, up to `most` and one more. A string that begins with a colon counts too. */
function countKeys(text: string, most: number): number {
  let keys = 0;
  for (let at = text.indexOf(":"); at !== -1 && keys <= most; at = text.indexOf(":", at + 1)) {
    let end = at - 1;
    let last = text.charCodeAt(end);
    while (last <= 0x20) last = text.charCodeAt((end -= 1));
    if (last !== QUOTE) continue;
    let start = end;
    while (text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
    // An escaped quote is inside of a string, and so is the colon.
    if ((end - start) % 2 === 0) keys += 1;
  }
  return keys;
}

/** An object or array whose end is not read yet. */
interface OpenValue {
  /** Where the value of each key stands; `undefined` for an array. */
  readonly keys: Map<string, { start: number; end: number; isReported: boolean }> | undefined;
  /** The key or index of the value that is being read. */
  at: string | number;
  /** Where that value starts. */
  start: number;
}

/** Matches the next token but for white space and commas. The text is known to be JSON. */
const TOKEN = /[^\s,]/g;
const NUMBER = /[-+.\deE]+/y;

/** Reads a text that is known to be JSON for what its value would not say. */
function findLosses(text: string): { readonly losses: readonly JsonLoss[]; readonly others: number } {
  const losses: JsonLoss[] = [];
  let others = 0;
  const open: OpenValue[] = [];
  const add = (kind: JsonLoss["kind"], message: string, digits?: string): void => {
    if (losses.length >= MAX_ISSUES) others += 1;
    else losses.push({ path: open.map(({ at }) => at), kind, message, ...(digits !== undefined && { digits }) });
  };

  /** Ends the value of a field: compares it with an earlier one of the same name. */
  const endValue = (end: number): void => {
    const parent = open.at(-1);
    if (parent === undefined) return;
    const { keys, at, start } = parent;
    if (keys === undefined) {
      parent.at = (at as number) + 1;
      return;
    }
    const first = keys.get(at as string);
    if (first === undefined) {
      keys.set(at as string, { start, end, isReported: false });
      return;
    }
    const [one, other] = [text.slice(first.start, first.end), text.slice(start, end)];
    if (one !== other) {
      const values = `with different values, ${quoteJson(one)} and ${quoteJson(other)}`;
      add("contradicted", `the field was sent more than once ${values}: send it once, with the value that is meant`);
    } else if (!first.isReported) {
      first.isReported = true;
      add("repeated", "the field was sent more than once with the same value: send it once");
    }
  };

  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at;
    at = TOKEN.exec(text)?.index ?? text.length;
    const first = text[at];
    const parent = open.at(-1);
    if (first === undefined) break;
    if (first === "}" || first === "]") {
      open.pop();
      at += 1;
      endValue(at);
    } else if (first === ":") {
      TOKEN.lastIndex = at + 1;
      at = TOKEN.exec(text)?.index ?? text.length;
      if (parent !== undefined) parent.start = at;
      at = readValue(at);
    } else if (first === '"' && parent?.keys !== undefined) {
      const end = endOfString(text, at);
      parent.at = JSON.parse(text.slice(at, end)) as string;
      if (parent.at === "__proto__") add("prototype", "no field may have this name: leave it out");
      at = end;
    } else at = readValue(at);
  }
  return { losses, others };

  /** Reads a scalar, or opens an object or array. Returns where to go on. */
  function readValue(at: number): number {
    const first = text[at];
    if (first === "{" || first === "[") {
      open.push({ keys: first === "{" ? new Map() : undefined, at: 0, start: at });
      return at + 1;
    }
    if (first === '"') {
      const end = endOfString(text, at);
      endValue(end);
      return end;
    }
    NUMBER.lastIndex = at;
    const digits = NUMBER.exec(text)?.[0];
    if (digits !== undefined) {
      const arrived = Number(digits);
      if (!isKept(digits, arrived)) add("number", describeNumber(digits, arrived), digits);
      endValue(at + digits.length);
      return at + digits.length;
    }
    const end = at + (first === "f" ? "false" : "true").length;
    endValue(end);
    return end;
  }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 0) return end + 1;
  }
}

/**
 * Whether a number is the one that was sent. Below 2^53 a number is off by less than one, which is how 0.1 is held too.
 * Above, it must be exact or print the same digits (6.02214076e23).
 */
function isKept(sent: string, arrived: number): boolean {
  if (!Number.isFinite(arrived)) return false;
  const size = Math.abs(arrived);
  if (size < FIRST_INEXACT) return size > 0 || decimalOf(sent).digits === "";
  const { digits, exponent } = decimalOf(sent);
  return [String(size), String(BigInt(size))].some((text) => {
    const own = decimalOf(text);
    return own.digits === digits && own.exponent === exponent;
  });
}

/** The digits of a number without zeros at both ends, and the power of ten of the last one. */
function decimalOf(number: string): { readonly digits: string; readonly exponent: number } {
  const [mantissa = "", power = "0"] = number.replace("-", "").toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = whole + fraction;
  let start = 0;
  let end = all.length;
  while (all[start] === "0") start += 1;
  while (end > start && all[end - 1] === "0") end -= 1;
  return { digits: all.slice(start, end), exponent: Number(power) - fraction.length + (all.length - end) };
}

function describeNumber(sent: string, arrived: number): string {
  const received = Number.isFinite(arrived) ? `arrive as ${arrived}` : "be out of range";
  return `the number ${truncate(sent, MAX_SHOWN)} would ${received}: send it as a string if its digits matter`;
}

/** Most characters of a number or value in a message. */
const MAX_SHOWN = 40;

/** The text of a value, short. Strings are quoted with secrets masked. */
function quoteJson(json: string): string {
  return json.startsWith('"') ? quote(JSON.parse(json) as string) : truncate(json, MAX_SHOWN);
}
