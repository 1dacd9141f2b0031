import { isDeepStrictEqual } from "node:util";
import type { Translation } from "@dispatch/tools-interface";
import { FilesError } from "../error/files-error.ts";

/** Characters of one text of a call: 8 Mi. No tool takes a longer one, and some look through all of it first. */
const MAX_CHARS = 8 * 1024 * 1024;
/** Fields of a call: those of all agents' tools together are fewer. */
const MAX_FIELDS = 100;
/** Characters of a field's name. */
const MAX_NAME = 100;

/** Fields that describe a call and do not change its effect. */
const COMMENTS = [
  "explanation",
  "description",
  "instruction",
  "instructions",
  "reason",
  "reasoning",
  "thought",
  "task_progress",
  "requires_approval",
  "security_risk",
  "tool_summary",
];

/** How fields of other tools are read. */
export type AliasRule = (call: ForeignCall) => void;

/**
 * A rule for fields, named in one text, that are a parameter by another name. `as` converts their value; `undefined` from it refuses
 * the field and says what to send.
 */
export function alias(names: string, to: string, as?: (value: unknown) => unknown, send?: string): AliasRule {
  const all = names.split(" ");
  return (call) => call.rename(all, to, as, send);
}

/** A rule for fields that are left out where `test` holds: their value changes nothing here. Any other is refused with the advice. */
export function without(names: string, test: (value: unknown) => boolean, advice: string): AliasRule {
  const all = names.split(" ");
  return (call) => call.drop(all, test, advice);
}

/** A rule for fields that are refused with advice. */
export function refuse(names: string, advice: string): AliasRule {
  return without(names, () => false, advice);
}

/**
 * A call in the shape of another tool while it is translated. Names are compared without case, `_` and `-`. Fields
 * without a translation stay, so that the schema reports them.
 */
export class ForeignCall {
  readonly #own: ReadonlySet<string>;
  readonly #params: Record<string, unknown>;
  readonly #changes: string[] = [];

  /** @param own - The parameters of the tool itself, which keep their meaning. */
  constructor(sent: Readonly<Record<string, unknown>>, own: readonly string[]) {
    assertBounded(sent, own);
    this.#params = { ...sent };
    this.#own = new Set(own);
    for (const name of own) this.rename([name], name);
  }

  /** Whether a parameter of the tool itself was sent, or is set by now. */
  has(name: string): boolean {
    return this.#params[name] !== undefined;
  }

  get(name: string): unknown {
    return this.#params[name];
  }

  set(name: string, value: unknown): void {
    if (value !== undefined) this.#params[name] = value;
  }

  unset(name: string): void {
    delete this.#params[name];
  }

  /** Takes the value of the first of these names out of the call. `undefined`: none was sent. */
  take(...names: readonly string[]): { readonly key: string; readonly value: unknown } | undefined {
    const key = Object.keys(this.#params).find(
      (one) => !this.#own.has(one) && this.#params[one] !== undefined && names.some((name) => fold(name) === fold(one)),
    );
    if (key === undefined) return undefined;
    const value = this.#params[key];
    delete this.#params[key];
    return { key, value };
  }

  /** Gives the value of any of these names to a parameter, converted. `undefined` from `convert` refuses it with `allowed`. */
  rename(names: readonly string[], to: string, convert?: (value: unknown) => unknown, allowed?: string): void {
    for (let found = this.take(...names); found !== undefined; found = this.take(...names)) {
      const { key, value } = found;
      const meant = convert === undefined ? value : convert(value);
      if (meant === undefined) this.refuse(key, `send ${allowed ?? JSON.stringify(to)}`);
      if (this.has(to) && !isDeepStrictEqual(this.get(to), meant))
        this.refuse(key, `it differs from ${JSON.stringify(to)}, send ${JSON.stringify(to)} alone`);
      this.#params[to] = meant;
      const as = meant === value ? "" : ` as ${JSON.stringify(meant)}`;
      this.note(`${JSON.stringify(key)} was taken for ${JSON.stringify(to)}${as}`);
    }
  }

  /** Leaves out fields whose value changes nothing here; any other value is refused with the advice. */
  drop(names: readonly string[], changesNothing: (value: unknown) => boolean, advice: string): void {
    for (let found = this.take(...names); found !== undefined; found = this.take(...names)) {
      if (!changesNothing(found.value)) this.refuse(found.key, advice);
      this.note(`${JSON.stringify(found.key)} was left out, it changes nothing here`);
    }
  }

  refuse(key: string, advice: string): never {
    throw new FilesError(`found ${JSON.stringify(key)}: ${advice}`, { code: "invalid_params" });
  }

  note(change: string): void {
    this.#changes.push(change);
  }

  /**
   * The call's meaning. `undefined`: nothing was changed. An unused field is refused: ignoring it would do other work
   * than requested. A field that is off or empty requests nothing.
   */
  translation(): Translation | undefined {
    this.drop(COMMENTS, () => true, "");
    const others = Object.keys(this.#params).filter((key) => !this.#own.has(key) && this.#params[key] !== undefined);
    this.drop(others, isFalse, `there is no such parameter, allowed are ${[...this.#own].join(", ")}`);
    return this.#changes.length === 0 ? undefined : { params: this.#params, changes: this.#changes };
  }
}

/** Translating takes time that grows with the square of the number of fields. */
function assertBounded(sent: Readonly<Record<string, unknown>>, own: readonly string[]): void {
  const fields = Object.entries(sent);
  const allowed = `allowed are ${own.join(", ")}`;
  const invalid = (found: string) => new FilesError(`found ${found}`, { code: "invalid_params" });
  if (fields.length > MAX_FIELDS) throw invalid(`${fields.length} parameters: ${allowed}`);
  for (const [name, value] of fields) {
    const key = JSON.stringify(name.slice(0, MAX_NAME));
    if (name.length > MAX_NAME) throw invalid(`a name that begins with ${key}: ${allowed}`);
    if (typeof value === "string" && value.length > MAX_CHARS)
      throw invalid(`${key}: it is ${value.length} characters long, allowed are ${MAX_CHARS}; send it in parts`);
  }
}

/** Dashes at the beginning are a part of a name: `-A` is no `a`. */
function fold(name: string): string {
  return name.startsWith("-") ? name : name.toLowerCase().replace(/[_-]/g, "");
}

/** For {@link ForeignCall.drop}. */
export function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

/** For {@link ForeignCall.drop}: also an empty text, an empty list, `null`. */
export function isFalse(value: unknown): boolean {
  return value === false || value === "false" || value === null || isEmpty(value);
}

/** An empty text or list, or `null`. */
export function isEmpty(value: unknown): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** A truth value, also written as text; the opposite. */
export function negated(value: unknown): boolean | undefined {
  return isTrue(value) ? false : isFalse(value) ? true : undefined;
}

/** A truth value, also written as text. */
export function truth(value: unknown): boolean | undefined {
  return isTrue(value) ? true : value === false || value === "false" ? false : undefined;
}

/** A whole number, also written as text. */
export function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}
