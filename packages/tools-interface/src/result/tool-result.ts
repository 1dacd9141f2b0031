import type { IgnoredField } from "../error/ignored-field.ts";
import type { Issue } from "../error/issue.ts";
import type { Repair } from "../repair/repair.ts";
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

/** What a call that did not end by itself may have done to the world: `none`, or `possible` when nobody can know. */
export type ToolEffects = "none" | "possible";

/** What `JSON.stringify` makes of a result. */
export interface ToolResultRecord {
  /** Whether the call did what was asked. */
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
  /** What is wrong with the parameters, for `invalid_params`. */
  readonly issues?: readonly Issue[];
  /** See {@link ToolFailure.stopped}. */
  readonly stopped?: boolean;
  /** See {@link ToolFailure.effects}. */
  readonly effects?: ToolEffects;
  /** What was changed of the call before it ran, when anything was. */
  readonly repairs?: readonly Repair[];
  /** Fields of the call that the tool was not given, when there are any. */
  readonly ignored?: readonly IgnoredField[];
  /** Values for the host. */
  readonly metadata: Metadata;
}

/** The call did what was asked. Frozen. Made by {@link success}. */
export interface ToolSuccess<Data = unknown> {
  /** Tells a success from a failure. */
  readonly success: true;
  /** The text a model reads. */
  readonly output: string;
  /** The value behind the text, for programs. Of a tool with an `output` schema it is there and fits. */
  readonly data: Data;
  /** What a model is shown instead of `output` where the provider can show it: text and images. */
  readonly content: readonly ContentPart[] | undefined;
  /** What was changed of a damaged call before it ran, in order; empty for a call that was right. Not in the text. */
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

/** The call did not do what was asked. Frozen. Made by {@link failure}. */
export interface ToolFailure {
  /** Tells a failure from a success. */
  readonly success: false;
  /** The text a model reads: what was attempted, what was found, what to do next. */
  readonly error: string;
  /** Stable, machine-readable name of what went wrong. */
  readonly code: ToolFailureCode;
  /** What is wrong with the parameters, for `invalid_params`: the first 100 issues. The text counts the others. */
  readonly issues: readonly Issue[] | undefined;
  /** For `cancelled` and `timeout`: whether the tool ended when it was told to. If not, it may still have effects. */
  readonly stopped: boolean | undefined;
  /** For `cancelled` and `timeout`: `none` when the tool never started or only reads, else `possible`. */
  readonly effects: ToolEffects | undefined;
  /** What was changed of a damaged call before it ran, in order; empty for a call that was right. Not in the text. */
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

/** What every call ends in. Discriminated by `success`. */
export type ToolResult<Data = unknown> = ToolSuccess<Data> | ToolFailure;

/** What a success can carry beside its text. */
export interface SuccessOptions<Data> {
  /** The value behind the text. */
  readonly data?: Data | undefined;
  /** Text and images, where `output` alone does not say it. */
  readonly content?: readonly ContentPart[] | undefined;
  /** Values for the host, never shown to a model. */
  readonly metadata?: Metadata | undefined;
}

/** What a failure can carry beside its text. */
export interface FailureOptions {
  /** Machine-readable name, `execution_failed` by default. */
  readonly code?: ToolFailureCode | undefined;
  /** What is wrong with the parameters. */
  readonly issues?: readonly Issue[] | undefined;
  /** For `cancelled` and `timeout`: whether the tool ended when it was told to. */
  readonly stopped?: boolean | undefined;
  /** For `cancelled` and `timeout`: what the call may have done to the world. */
  readonly effects?: ToolEffects | undefined;
  /** Values for the host, never shown to a model. */
  readonly metadata?: Metadata | undefined;
}

/** How the call that ran differs from the call that was sent. */
export interface CallChanges {
  /** What was changed. */
  readonly repairs: readonly Repair[];
  /** What was left out. */
  readonly ignored: readonly IgnoredField[];
}

const NO_METADATA: Metadata = Object.freeze({});
const NO_CHANGES: CallChanges = Object.freeze({ repairs: Object.freeze([]), ignored: Object.freeze([]) });
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
 * A result that did what was asked.
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
 * A result that did not do what was asked. `error` is what a model reads: say what was attempted, what was found and
 * what to do next.
 */
export function failure(error: string, options: FailureOptions = NO_OPTIONS): ToolFailure {
  return new Failure(error, options, NO_CHANGES);
}

/** The same result, telling of repairs that were made before those it tells of already. */
export function withRepairs(result: ToolResult, repairs: readonly Repair[]): ToolResult {
  return copyResult(result, { repairs: Object.freeze([...repairs, ...changesOf(result).repairs]) });
}

/** The same result with another text, data, content, or other changes of its call. */
export function copyResult(
  result: ToolResult,
  change: Partial<CallChanges> & {
    readonly text?: string;
    readonly data?: unknown;
    readonly content?: readonly ContentPart[];
  },
): ToolResult {
  const { text } = change;
  const changes = changesOf({ ...changesOf(result), ...change });
  if (!result.success) return new Failure(text ?? result.error, result, changes);
  const { data = result.data, content = result.content } = change;
  return new Success(text ?? result.output, { data, content, metadata: result.metadata }, changes);
}

/** A result of an older copy of this package has none of either. */
export function changesOf({ repairs, ignored }: Partial<CallChanges>): CallChanges {
  return { repairs: repairs ?? NO_CHANGES.repairs, ignored: ignored ?? NO_CHANGES.ignored };
}

/** True for a result made by {@link success} or {@link failure}, of any installed copy of this package. Never throws. */
export function isToolResult(value: unknown): value is ToolResult {
  try {
    return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[results] === true;
  } catch {
    return false;
  }
}
