import { unknownOption } from "../error/check-options.ts";
import type { IgnoredField, Issue } from "../error/issue.ts";
import { ToolError } from "../error/tool-error.ts";
import { jsonSnapshot } from "../json/json.ts";
import type { Repair } from "../repair/repair.ts";
import type { ContentPart } from "./content-part.ts";

/** Values for the host alone. Never shown to a model, and opaque to this package but for `stopLoop`. */
export type Metadata = {
  /** True: the loop ends after this turn, see `shouldStop` and `runTools`. */
  readonly stopLoop?: boolean | undefined;
  /** Anything else. */
  readonly [key: string]: unknown;
};

/** The failure codes this package itself answers with. A tool may use its own beside them. */
export type ToolFailureCode =
  | "tool_not_found"
  | "invalid_call"
  | "invalid_options"
  | "depth_exceeded"
  | "too_many_calls"
  | "invalid_params"
  | "missing_context"
  | "denied"
  | "approval_pending"
  | "interrupted"
  | "transcript_unreadable"
  | "result_dropped"
  | "cancelled"
  | "timeout"
  | "execution_failed"
  | "invalid_output"
  | (string & {});

/** The effects on the world of a call that did not end by itself: `none`, or `possible` when they are unknown. */
export type ToolEffects = "none" | "possible";

/** The fields of a kind of result, as they are found in anything that is like one. */
type Found<Result> = { readonly [Field in keyof Result]?: unknown };

/**
 * The fields of every result beside its text. A result has no other list of its fields: copies, JSON, options and what is
 * read back follow from the three classes, so a further field is a line here or in one of them, and one in its constructor.
 */
abstract class ResultFields {
  /** Repairs made to a damaged call before it ran, in order; empty for a call that was right. Not in the text. */
  readonly repairs: readonly Repair[];
  /** Fields of the call that the tool was not given, because its schema does not name them. The text says so too. */
  readonly ignored: readonly IgnoredField[];
  /** Values for the host, `{}` when none were given. */
  readonly metadata: Metadata;

  constructor(found: Found<ResultFields>) {
    this.repairs = readList(found.repairs) ?? NOTHING;
    this.ignored = readList(found.ignored) ?? NOTHING;
    this.metadata = readMetadata(found.metadata);
  }

  /** The text a model reads. Never holds metadata. */
  abstract toString(): string;

  /** Plain data with everything in it, metadata included. */
  toJSON(): ToolResultRecord {
    const { success, output, error, ...fields } = this as unknown as ToolResultRecord;
    const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== NOTHING);
    return { success, ...(success ? { output } : { error }), ...Object.fromEntries(given) } as ToolResultRecord;
  }
}

class Success<Data> extends ResultFields {
  /** Discriminates a success from a failure. */
  readonly success = true;
  /** The text a model reads. */
  readonly output: string;
  /** The value behind the text, for programs. Of a tool with an `output` schema it is there and fits. */
  readonly data: Data;
  /** Content shown to a model instead of `output` if the provider can show it: text and images. */
  readonly content: readonly ContentPart[] | undefined;

  constructor(output: unknown, found: Found<Success<unknown>>) {
    super(found);
    this.output = readText(output, "its text");
    this.data = found.data as Data;
    this.content = readContent(found.content);
    Object.freeze(this);
  }

  /** `output`. Never holds metadata. */
  override toString(): string {
    return this.output;
  }
}

class Failure extends ResultFields {
  /** Discriminates a failure from a success. */
  readonly success = false;
  /** The text a model reads: the attempt, the fault found, the next step. */
  readonly error: string;
  /** Stable, machine-readable name of the failure, `execution_failed` by default. */
  readonly code: ToolFailureCode;
  /** The faults of the parameters, for `invalid_params`: the first 100 issues. The text counts the others. */
  readonly issues: readonly Issue[] | undefined;
  /** For `cancelled` and `timeout`: whether the tool ended at the signal. If not, it may still have effects. */
  readonly stopped: boolean | undefined;
  /** For `cancelled` and `timeout`: `none` when the tool never started or only reads, else `possible`. */
  readonly effects: ToolEffects | undefined;

  constructor(error: unknown, found: Found<Failure>) {
    super(found);
    this.error = readText(error, "its text");
    this.code = found.code === undefined ? "execution_failed" : readText(found.code, "its code");
    this.issues = readList(found.issues);
    this.stopped = found.stopped === undefined ? undefined : found.stopped === true;
    this.effects = readEffects(found.effects);
    Object.freeze(this);
  }

  /** `error`. Never holds metadata. */
  override toString(): string {
    return this.error;
  }
}

/** The call succeeded. Frozen. Made by {@link success}. */
export interface ToolSuccess<Data = unknown> extends Success<Data> {}

/** The call failed. Frozen. Made by {@link failure}. */
export interface ToolFailure extends Failure {}

/** The result of every call. Discriminated by `success`. */
export type ToolResult<Data = unknown> = ToolSuccess<Data> | ToolFailure;

type FieldsOf<Result> = {
  readonly [Field in keyof Result as Exclude<Field, "success" | "output" | "error" | "toString" | "toJSON">]?:
    | Result[Field]
    | undefined;
};

/** Parts of a success beside its text, none of them needed. */
export interface SuccessOptions<Data> extends FieldsOf<ToolSuccess<Data>> {}

/** Parts of a failure beside its text, none of them needed. */
export interface FailureOptions extends FieldsOf<ToolFailure> {}

/** The form of a result in `JSON.stringify`. */
export interface ToolResultRecord extends FieldsOf<ToolSuccess>, FieldsOf<ToolFailure> {
  /** Whether the call succeeded. */
  readonly success: boolean;
  /** The text of a success. */
  readonly output?: string;
  /** The text of a failure. */
  readonly error?: string;
  /** Values for the host. */
  readonly metadata: Metadata;
}

const NO_METADATA: Metadata = Object.freeze({});
const NO_OPTIONS = Object.freeze({});
const NOTHING: readonly never[] = Object.freeze([]);
const results = Symbol.for("@dispatch/tools-interface.ToolResult");

Object.defineProperty(ResultFields.prototype, results, { value: true });

/** A list of plain data; `undefined` where there is nothing in it. */
function readList(found: unknown): readonly never[] | undefined {
  if (found === undefined || found === NOTHING) return undefined;
  if (!Array.isArray(found)) throw unusable(`a list in it is of type ${typeof found}, allowed is an array`);
  return found.length === 0 ? undefined : (jsonSnapshot(found) as readonly never[]);
}

function readMetadata(found: unknown): Metadata {
  return typeof found === "object" && found !== null ? Object.freeze({ ...found }) : NO_METADATA;
}

function readEffects(found: unknown): ToolEffects | undefined {
  return found === "none" || found === "possible" ? found : undefined;
}

function readText(found: unknown, what: string): string {
  if (typeof found !== "string") throw unusable(`${what} is of type ${typeof found}, allowed is a string`);
  return found;
}

function readContent(found: unknown): readonly ContentPart[] | undefined {
  if (found === undefined) return undefined;
  if (!Array.isArray(found)) throw unusable(`its content is of type ${typeof found}, allowed is an array`);
  // Not `map`, which skips holes.
  return found.length === 0 ? undefined : Object.freeze(Array.from(found as readonly unknown[], readPart));
}

function readPart(part: unknown, index: number): ContentPart {
  const given = (part ?? {}) as { readonly [key: string]: unknown };
  const { type } = given;
  const text = (key: string): string => readText(given[key], `its content[${index}].${key}`);
  const maybe = (key: string): object => (given[key] === undefined ? {} : { [key]: text(key) });
  if (type === "text") return Object.freeze({ type, text: text("text") });
  if (type === "image" || type === "audio")
    return Object.freeze({ type, data: text("data"), mimeType: text("mimeType") });
  if (type === "file") return Object.freeze({ type, data: text("data"), mimeType: text("mimeType"), ...maybe("name") });
  if (type === "resource_link") {
    return Object.freeze({ type, uri: text("uri"), name: text("name"), ...maybe("description"), ...maybe("mimeType") });
  }
  throw unusable(`its content[${index}] is a part of another type than the allowed ones, ${KINDS}`);
}

const KINDS = '"text", "image", "file", "audio" and "resource_link"';

/** A `ToolError`, so that a tool that makes such a result is not run again. */
function unusable(found: string): ToolError {
  return new ToolError(`Cannot make a result: ${found}`, { code: "invalid_output" });
}

/**
 * The result of a call that succeeded.
 *
 * @throws {ToolError} Code `invalid_output`, when content or another part is not of its type.
 *
 * @example
 * ```ts
 * success("3 files changed", { data: { changed: 3 }, metadata: { stopLoop: true } });
 * ```
 */
export function success(output: string, options?: SuccessOptions<undefined>): ToolSuccess<undefined>;
export function success<Data>(
  output: string,
  options: SuccessOptions<Data> & { readonly data: Data },
): ToolSuccess<Data>;
export function success<Data>(output: string, options?: SuccessOptions<Data>): ToolSuccess<Data | undefined>;
export function success(output: string, options: SuccessOptions<unknown> = NO_OPTIONS): ToolSuccess {
  return checked(new Success(output, options), options);
}

/**
 * The result of a call that failed. `error` is the text a model reads: name the attempt, the fault found and the next
 * step.
 *
 * @example
 * ```ts
 * failure("There is no order 4711, ask for the number again", { code: "order_not_found" });
 * ```
 */
export function failure(error: string, options: FailureOptions = NO_OPTIONS): ToolFailure {
  return checked(new Failure(error, options), options);
}

/** A success with data alone, whose options need no check. */
export function successWithData(output: string, data: unknown): ToolSuccess {
  return new Success(output, { data });
}

/** The result, unless it was made with an option that it has no field for. */
function checked<Result extends ToolResult>(result: Result, options: object): Result {
  const unknown = unknownOption(options, result);
  if (unknown !== undefined) throw unusable(unknown);
  return result;
}

/** The same result with another text or other fields. */
export function copyResult(
  result: ToolResult,
  change: { readonly text?: string } & SuccessOptions<unknown>,
): ToolResult {
  const fields = Object.assign({ ...result }, change);
  return result.success
    ? new Success(change.text ?? result.output, fields)
    : new Failure(change.text ?? result.error, fields);
}

/** The same result, with earlier repairs before its own. One of an older copy of this package has no list of them. */
export function withRepairs(result: ToolResult, repairs: readonly Repair[]): ToolResult {
  return copyResult(result, { repairs: [...repairs, ...(readList(result.repairs) ?? NOTHING)] });
}

/** The same result with a line after all that a model is shown. */
export function withLine(result: ToolResult, line: string, change: SuccessOptions<unknown>): ToolResult {
  const own = String(result);
  const content = result.success ? result.content : undefined;
  return copyResult(result, {
    ...change,
    text: own === "" ? line : `${own}\n${line}`,
    ...(content && { content: [...content, { type: "text", text: line }] }),
  });
}

/**
 * A result, built anew from a value with its fields: a tool's answer, which may be forged, come from another copy of
 * this package, or hold invalid content, or a record. Each field is read once. `data` and the values of `metadata` are passed
 * on as they are.
 *
 * @throws {ToolError} With the invalid part, the value found and the values allowed.
 */
export function readResult(found: unknown): ToolResult {
  const { success: isSuccess } = (found ?? {}) as Found<ToolResultRecord>;
  if (typeof isSuccess !== "boolean") throw unusable("it says neither success nor failure");
  const fields = found as Found<ToolResultRecord>;
  return isSuccess ? new Success(fields.output, fields) : new Failure(fields.error, fields);
}

/**
 * True for a result made by {@link success} or {@link failure}, of any installed copy of this package. Never throws.
 *
 * @example
 * ```ts
 * const answer: unknown = await next();
 * const result = isToolResult(answer) ? answer : success(String(answer));
 * ```
 */
export function isToolResult(value: unknown): value is ToolResult {
  try {
    return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[results] === true;
  } catch {
    return false;
  }
}

/**
 * The parts of a result that a model is shown: never its metadata, data or repairs. Lone surrogates, which truncation may
 * leave, are replaced: providers refuse the whole request for one.
 */
export function shownParts(result: ToolResult): readonly ContentPart[] {
  if (!result.success) return [textPart(shownText(result))];
  const { content } = result;
  if (content === undefined || content.length === 0) return [textPart(result.output)];
  return content.map((part) => (part.type === "text" ? textPart(part.text) : part));
}

/** The text of a failure that a model is shown. */
export function shownText({ error, code }: ToolFailure): string {
  return (error === "" ? code : error).toWellFormed();
}

function textPart(text: string): ContentPart {
  return { type: "text", text: text.toWellFormed() };
}
