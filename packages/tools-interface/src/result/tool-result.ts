import type { IgnoredField } from "../error/ignored-field.ts";
import type { Issue } from "../error/issue.ts";
import type { Repair } from "../repair/repair.ts";
import { changesOf, NO_CHANGES, type CallChanges } from "./call-changes.ts";
import type { ContentPart } from "./content-part.ts";
import type { Metadata } from "./metadata.ts";

/** The failure codes this package itself answers with. A tool may use its own beside them. */
export type ToolFailureCode =
  | "tool_not_found"
  | "invalid_call"
  | "invalid_options"
  | "depth_exceeded"
  | "invalid_params"
  | "missing_context"
  | "denied"
  | "approval_pending"
  | "interrupted"
  | "transcript_unreadable"
  | "cancelled"
  | "timeout"
  | "execution_failed"
  | "invalid_output"
  | (string & {});

/** The effects on the world of a call that did not end by itself: `none`, or `possible` when nobody can know. */
export type ToolEffects = "none" | "possible";

/** The form of a result in `JSON.stringify`. */
export interface ToolResultRecord {
  /** Whether the call succeeded. */
  readonly success: boolean;
  /** The text of a success. */
  readonly output?: string;
  /** The text of a failure. */
  readonly error?: string;
  /** The code of a failure. */
  readonly code?: string;
  /** The typed value of a success, when there is one. */
  readonly data?: unknown;
  /** Text and images of a success, when there is more than `output`. */
  readonly content?: readonly ContentPart[];
  /** The faults of the parameters, for `invalid_params`. */
  readonly issues?: readonly Issue[];
  /** See {@link ToolFailure.stopped}. */
  readonly stopped?: boolean;
  /** See {@link ToolFailure.effects}. */
  readonly effects?: ToolEffects;
  /** Repairs made to the call before it ran, if any. */
  readonly repairs?: readonly Repair[];
  /** Fields of the call that the tool was not given, when there are any. */
  readonly ignored?: readonly IgnoredField[];
  /** Values for the host. */
  readonly metadata: Metadata;
}

/** The call succeeded. Frozen. Made by {@link success}. */
export interface ToolSuccess<Data = unknown> {
  /** Discriminates a success from a failure. */
  readonly success: true;
  /** The text a model reads. */
  readonly output: string;
  /** The value behind the text, for programs. Of a tool with an `output` schema it is there and fits. */
  readonly data: Data;
  /** Content shown to a model instead of `output` if the provider can show it: text and images. */
  readonly content: readonly ContentPart[] | undefined;
  /** Repairs made to a damaged call before it ran, in order; empty for a call that was right. Not in the text. */
  readonly repairs: readonly Repair[];
  /** Fields of the call that the tool was not given, because its schema does not name them. The text says so too. */
  readonly ignored: readonly IgnoredField[];
  /** Values for the host, `{}` when none were given. */
  readonly metadata: Metadata;
  /** `output`. Never holds metadata. */
  toString(): string;
  /** Plain data with everything in it, metadata included. */
  toJSON(): ToolResultRecord;
}

/** The call failed. Frozen. Made by {@link failure}. */
export interface ToolFailure {
  /** Discriminates a failure from a success. */
  readonly success: false;
  /** The text a model reads: the attempt, the fault found, the next step. */
  readonly error: string;
  /** Stable, machine-readable name of the failure. */
  readonly code: ToolFailureCode;
  /** The faults of the parameters, for `invalid_params`: the first 100 issues. The text counts the others. */
  readonly issues: readonly Issue[] | undefined;
  /** For `cancelled` and `timeout`: whether the tool ended at the signal. If not, it may still have effects. */
  readonly stopped: boolean | undefined;
  /** For `cancelled` and `timeout`: `none` when the tool never started or only reads, else `possible`. */
  readonly effects: ToolEffects | undefined;
  /** Repairs made to a damaged call before it ran, in order; empty for a call that was right. Not in the text. */
  readonly repairs: readonly Repair[];
  /** Fields of the call that the tool was not given, because its schema does not name them. The text says so too. */
  readonly ignored: readonly IgnoredField[];
  /** Values for the host, `{}` when none were given. */
  readonly metadata: Metadata;
  /** `error`. Never holds metadata. */
  toString(): string;
  /** Plain data with everything in it, metadata included. */
  toJSON(): ToolResultRecord;
}

/** The result of every call. Discriminated by `success`. */
export type ToolResult<Data = unknown> = ToolSuccess<Data> | ToolFailure;

/** Parts of a success beside its text. */
export interface SuccessOptions<Data> {
  /** The value behind the text. */
  readonly data?: Data | undefined;
  /** Text and images, where `output` alone does not say it. */
  readonly content?: readonly ContentPart[] | undefined;
  /** Values for the host, never shown to a model. */
  readonly metadata?: Metadata | undefined;
}

/** Parts of a failure beside its text. */
export interface FailureOptions {
  /** Machine-readable name, `execution_failed` by default. */
  readonly code?: ToolFailureCode | undefined;
  /** The faults of the parameters. */
  readonly issues?: readonly Issue[] | undefined;
  /** For `cancelled` and `timeout`: whether the tool ended at the signal. */
  readonly stopped?: boolean | undefined;
  /** For `cancelled` and `timeout`: the call's possible effects on the world. */
  readonly effects?: ToolEffects | undefined;
  /** Values for the host, never shown to a model. */
  readonly metadata?: Metadata | undefined;
}

const NO_METADATA: Metadata = Object.freeze({});
const NO_OPTIONS = Object.freeze({});
const results = Symbol.for("@dispatch/tools-interface.ToolResult");

class Success<Data> implements ToolSuccess<Data> {
  readonly success = true;
  readonly output: string;
  readonly data: Data;
  readonly content: readonly ContentPart[] | undefined;
  readonly repairs: readonly Repair[];
  readonly ignored: readonly IgnoredField[];
  readonly metadata: Metadata;

  constructor(output: string, options: SuccessOptions<Data>, { repairs, ignored }: CallChanges) {
    this.output = output;
    this.data = options.data as Data;
    this.content = options.content === undefined ? undefined : Object.freeze([...options.content]);
    this.repairs = repairs;
    this.ignored = ignored;
    this.metadata = freezeMetadata(options.metadata);
    Object.freeze(this);
  }

  get [results](): true {
    return true;
  }

  toString(): string {
    return this.output;
  }

  toJSON(): ToolResultRecord {
    const { output, data, content, repairs, ignored, metadata } = this;
    return {
      success: true,
      output,
      ...(data !== undefined && { data }),
      ...(content !== undefined && { content }),
      ...(repairs.length > 0 && { repairs }),
      ...(ignored.length > 0 && { ignored }),
      metadata,
    };
  }
}

class Failure implements ToolFailure {
  readonly success = false;
  readonly error: string;
  readonly code: ToolFailureCode;
  readonly issues: readonly Issue[] | undefined;
  readonly stopped: boolean | undefined;
  readonly effects: ToolEffects | undefined;
  readonly repairs: readonly Repair[];
  readonly ignored: readonly IgnoredField[];
  readonly metadata: Metadata;

  constructor(error: string, options: FailureOptions, { repairs, ignored }: CallChanges) {
    this.error = error;
    this.code = options.code ?? "execution_failed";
    this.issues = options.issues;
    this.stopped = options.stopped;
    this.effects = options.effects;
    this.repairs = repairs;
    this.ignored = ignored;
    this.metadata = freezeMetadata(options.metadata);
    Object.freeze(this);
  }

  get [results](): true {
    return true;
  }

  toString(): string {
    return this.error;
  }

  toJSON(): ToolResultRecord {
    const { error, code, issues, stopped, effects, repairs, ignored, metadata } = this;
    return {
      success: false,
      error,
      code,
      ...(issues !== undefined && { issues }),
      ...(stopped !== undefined && { stopped }),
      ...(effects !== undefined && { effects }),
      ...(repairs.length > 0 && { repairs }),
      ...(ignored.length > 0 && { ignored }),
      metadata,
    };
  }
}

function freezeMetadata(metadata: Metadata | undefined): Metadata {
  return metadata === undefined ? NO_METADATA : Object.freeze({ ...metadata });
}

/**
 * The result of a call that succeeded.
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
  return new Success(output, options, NO_CHANGES);
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
  return new Failure(error, options, NO_CHANGES);
}

/** The same result, with earlier repairs before its own. */
export function withRepairs(result: ToolResult, repairs: readonly Repair[]): ToolResult {
  return copyResult(result, { repairs: Object.freeze([...repairs, ...changesOf(result).repairs]) });
}

/** The same result with another text, data, content, metadata, or other changes of its call. */
export function copyResult(
  result: ToolResult,
  change: Partial<CallChanges> & {
    readonly text?: string;
    readonly data?: unknown;
    readonly content?: readonly ContentPart[];
    readonly metadata?: Metadata;
  },
): ToolResult {
  const { text, metadata = result.metadata } = change;
  const changes = changesOf({ ...changesOf(result), ...change });
  if (!result.success) return new Failure(text ?? result.error, { ...result, metadata }, changes);
  const { data = result.data, content = result.content } = change;
  return new Success(text ?? result.output, { data, content, metadata }, changes);
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
