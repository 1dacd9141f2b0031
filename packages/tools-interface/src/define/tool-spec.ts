import type { ToolAnnotations } from "../call/tool-annotations.ts";
import type { ToolProgress, ToolRun } from "../call/tool.ts";
import type { Translation } from "../call/translation.ts";
import type { JsonSchema } from "../json/json.ts";
import type { RepairPolicy } from "../repair/repair.ts";
import type { ToolFailure, ToolSuccess } from "../result/tool-result.ts";
import type { InferInput, InferOutput, Schema } from "../schema/schema.ts";

/** What `defineTool` takes. */
export interface ToolSpec<
  Name extends string,
  Parameters extends Schema,
  Output extends Schema | undefined,
  Context extends Schema | undefined,
> {
  /** Unique in its registry: 1 to 128 letters, digits, `_`, `-`, `.` or `/`; snake_case by custom. */
  readonly name: Name;
  /** What the tool does, when to use it and what it answers, for a model. */
  readonly description: string;
  /** Schema of the parameters, an object at its root. */
  readonly parameters: Parameters & (ObjectSchema | ObjectRoot<InferInput<Parameters>>);
  /** Schema of the data of a success. When given, every success is checked against it. */
  readonly output?: Output;
  /** Schema of what `run.context` must hold. Checked at every call, never transformed. */
  readonly context?: Context;
  /**
   * What the tool does to the world. Say at least `readOnly`: a tool that says nothing runs beside others in `dispatchAll`,
   * so write `readOnly: false` where a call must see what those before it changed. Default: nothing is said.
   */
  readonly annotations?: ToolAnnotations;
  /**
   * Whether a person has to agree to the call, or to calls with certain parameters in a certain context, which has been
   * checked by then. May answer later, within `timeoutMs`. Default false, and true for a tool whose annotations say
   * `destructive`.
   */
  readonly needsApproval?:
    | boolean
    | ((params: InferOutput<Parameters>, context: ContextOf<Context>) => boolean | Promise<boolean>);
  /**
   * The part of the context that decides what a call does, such as a worktree or an account, as a value that JSON holds.
   * An approval is bound to it: the approver is shown it, and a grant for another one counts as none. Default nothing.
   */
  approvalContext?(context: ContextOf<Context>): unknown;
  /** How long one call may run, in milliseconds, waiting for approval not counted, retries counted. Default 120,000. */
  readonly timeoutMs?: number;
  /**
   * How often `execute` is called again when it throws anything but a `ToolError`, after a pause that doubles from
   * about 100 ms to at most 5 s. Allowed, from 0 to 10, for tools whose annotations say `readOnly` or `idempotent`.
   * Default 0.
   */
  readonly retries?: number;
  /**
   * Key or keys of what a call touches, such as a path. `dispatchAll` runs calls that touch different things at the
   * same time, and calls that touch the same in their order unless both only read. Keys are compared as they are,
   * across all tools. Default: a call may touch anything, and runs alone when the tool declares changes.
   */
  resource?(params: InferOutput<Parameters>): string | readonly string[];
  /**
   * How many characters a model is shown of one result, at most. What is longer is cut so that JSON stays JSON and the
   * text says what is missing; `data` stays whole. Default 100,000.
   */
  readonly maxOutputChars?: number;
  /**
   * Whether a call that does not fit `parameters` is repaired where that can be done in one way only, such as `"3"` for
   * a number. Of a call that fits, only fields that `parameters` does not name are looked at, for one in another case;
   * every change is listed in the result. `lenient` also leaves out fields that `parameters` forbids. Default `safe`, and
   * `off` for a tool whose annotations say `destructive`: it answers such calls with what it would have accepted.
   */
  readonly repair?: RepairPolicy;
  /**
   * Reads a call that was made in the shape of another tool, which models know by heart: called with what was sent, unless it
   * fits `parameters` as it is. Each change is listed in the result, whatever `repair` says. A `ToolError` that it throws
   * refuses the call and tells the model what to send instead; anything else it throws counts as nothing to change.
   * Default: none.
   */
  translate?(sent: Readonly<Record<string, unknown>>): Translation | undefined;
  /**
   * Asks the destination what became of a durable call whose process died after it had begun: `run.effectId` is what
   * `execute` was given. Answers as `execute` does; with `failure(…, { effects: "none" })` when nothing was done, and with
   * `undefined` when that cannot be known. Default: the outcome is `outcome_unknown`, with `effects: "possible"`.
   */
  reconcile?(
    params: InferOutput<Parameters>,
    run: ToolRun<ContextOf<Context>>,
  ): Executed<Output> | undefined | Promise<Executed<Output> | undefined>;
  /**
   * Whether `execute` may be begun again when the process of a durable call died, because all its effects are calls through
   * `run.dispatch` and steps of `run.durable`: those that have ended are answered from their records. For tools that do
   * nothing but call others, such as agents. Default false.
   */
  readonly resumable?: boolean;
  /**
   * Does the work. May answer with a result made by `success` or `failure`, with a string, or with a JSON value,
   * which becomes the data. May throw: a `ToolError` is shown to the model as it is, anything else as
   * `NAME failed: message`. May be an `async *` generator: observers hear of each value as progress, and the returned
   * value, or else the last yielded one, is the answer.
   */
  execute(
    params: InferOutput<Parameters>,
    run: ToolRun<ContextOf<Context>>,
  ): Executed<Output> | Promise<Executed<Output>> | ExecutedInSteps<Output>;
}

/** A schema of objects, which one whose type is a parameter of a caller's own function is known to be. */
interface ObjectSchema {
  readonly "~standard": { readonly types?: { readonly input: NoList } | { readonly output: NoList } | undefined };
}

type NoList = object & { readonly length?: never };

/** An error that the compiler shows where parameters are no object. */
type ObjectRoot<Input> = 0 extends 1 & Input
  ? unknown
  : [Extract<Input, NoObject>] extends [never]
    ? unknown
    : "parameters must be an object at the root, such as z.object({ … })";

type NoObject = string | number | bigint | boolean | symbol | null | undefined | readonly unknown[];

/** The data of a success, `unknown` when the tool declares no output. */
export type DataOf<Output> = Output extends Schema ? InferOutput<Output> : unknown;

/** What a tool requires of the host. */
export type ContextOf<Context> = Context extends Schema ? InferInput<Context> : unknown;

type Executed<Output> = Output extends Schema
  ? InferInput<Output> | ToolSuccess<InferInput<Output>> | ToolFailure
  : unknown;

/** A generator that ends without a value answers with the last one that it yielded. */
type ExecutedInSteps<Output> = AsyncGenerator<
  Executed<Output> | ToolProgress | string,
  Executed<Output> | void,
  undefined
>;

/** A tool's specification whatever its types, as the implementation reads it. */
export type AnySpec = Omit<
  ToolSpec<string, JsonSchema, undefined, undefined>,
  "needsApproval" | "approvalContext" | "resource" | "reconcile" | "execute"
> & {
  readonly output?: unknown;
  readonly context?: unknown;
  needsApproval?: boolean | ((params: unknown, context: unknown) => boolean | Promise<boolean>);
  resource?: (params: unknown) => string | readonly string[];
  approvalContext?: (context: unknown) => unknown;
  reconcile?: (params: unknown, run: ToolRun) => unknown;
  execute(params: unknown, run: ToolRun): unknown;
};
