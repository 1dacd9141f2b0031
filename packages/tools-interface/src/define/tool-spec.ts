import type { Translation } from "../call/callable-tool.ts";
import type { ToolAnnotations } from "../call/tool-annotations.ts";
import type { ToolProgress, ToolRun } from "../call/tool.ts";
import type { JsonSchema } from "../json/json.ts";
import type { RepairPolicy } from "../repair/repair.ts";
import type { ToolFailure, ToolSuccess } from "../result/tool-result.ts";
import type { InferInput, InferOutput, Schema } from "../schema/schema.ts";

/** The argument of `defineTool`. */
export interface ToolSpec<
  Name extends string,
  Parameters extends Schema,
  Output extends Schema | undefined,
  Context extends Schema | undefined,
  Returned = unknown,
> {
  /** Unique in its registry: 1 to 128 letters, digits, `_`, `-`, `.` or `/`; snake_case by custom. */
  readonly name: Name;
  /** Describes the tool to a model: its work, when to use it, its result. */
  readonly description: string;
  /** Schema of the parameters, an object at its root. */
  readonly parameters: Parameters & (ObjectSchema | ObjectRoot<InferInput<Parameters>>);
  /** Schema of the data of a success. When given, every success is checked against it. */
  readonly output?: Output;
  /** Schema of `run.context`. Checked at every call, never transformed. */
  readonly context?: Context;
  /**
   * The tool's effects on the world. Set at least `readOnly`: a tool without annotations runs beside others in
   * `dispatchAll`, so write `readOnly: false` if a call must see the changes of those before it. Default: none.
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
   * The part of the context that decides a call's effect, such as a worktree or an account, as a JSON value. An
   * approval is bound to it: the approver is shown it, and a grant for another one counts as none. Default nothing.
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
   * Key or keys of the resources that a call touches, such as a path. `dispatchAll` runs calls with different keys at
   * the same time, and calls with a common key in their order unless both only read. Keys are compared as they are,
   * across all tools. Default: a call may touch anything, and runs alone if the tool declares changes; so it is for a
   * function that answers a promise, which is not asked again.
   */
  resource?(params: InferOutput<Parameters>): string | readonly string[];
  /**
   * Limit for one result shown to a model, in characters. A longer one is cut so that JSON stays JSON and the text says
   * how much is missing; `data` stays whole. Default 100,000.
   */
  readonly maxOutputChars?: number;
  /**
   * Whether a call that does not fit `parameters` is repaired if that is possible in one way only, such as `"3"` for a
   * number. In a call that fits, only fields that `parameters` does not name are examined, for one in another case;
   * every change is listed in the result. `lenient` also drops fields that `parameters` forbids. Default `safe`, and
   * `off` for a tool annotated as `destructive`: it answers such calls with an example of a valid one.
   */
  readonly repair?: RepairPolicy;
  /**
   * Translates a call made in the form of another tool, one that models know by heart. Called with the arguments as
   * sent, unless they fit `parameters` as they are. Each change is listed in the result, independent of `repair`. If it
   * throws a `ToolError`, the call is refused with that advice for the model; any other error counts as nothing to
   * change. Default: none.
   */
  translate?(sent: Readonly<Record<string, unknown>>): Translation | undefined;
  /**
   * Asks the destination for the outcome of a durable call whose process died after it had begun: `run.effectId` is
   * that of `execute`. Returns a result as `execute` does; `failure(…, { effects: "none" })` if nothing was done, and
   * `undefined` if that cannot be known. Default: the outcome is `outcome_unknown`, with `effects: "possible"`.
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
   * `NAME failed: message`. May be an `async *` generator: observers receive each value as progress, and the returned
   * value, or else the last yielded one, is the answer.
   */
  execute(params: InferOutput<Parameters>, run: ToolRun<ContextOf<Context>>): Answer<Output, Returned>;
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

/** The data of a success: of the output that the tool declares, or else in the form in which JSON holds what it returns. */
export type DataOf<Output, Returned> = Output extends Schema ? InferOutput<Output> : DataIn<Awaited<Returned>>;

type DataIn<Returned> = 0 extends 1 & Returned
  ? unknown
  : Returned extends ToolFailure
    ? never
    : Returned extends ToolSuccess<infer Data>
      ? InJson<Data>
      : Returned extends AsyncGenerator<unknown, infer Last>
        ? [Last] extends [void]
          ? unknown
          : DataIn<Last>
        : InJson<Returned>;

type InJson<Value> = 0 extends 1 & Value
  ? unknown
  : Value extends void
    ? undefined
    : Value extends null | string | number | boolean
      ? Value
      : Value extends { toJSON(...given: never[]): infer Plain }
        ? Plain
        : Value extends object
          ? { readonly [Field in keyof Value]: InJson<Value[Field]> }
          : unknown;

/** The context that a tool requires of the host. */
export type ContextOf<Context> = Context extends Schema ? InferInput<Context> : unknown;

type Answer<Output, Returned> = Output extends Schema
  ? Executed<Output> | Promise<Executed<Output>> | ExecutedInSteps<Output>
  : [NoJson<Awaited<Returned>>] extends [never]
    ? Returned
    : "execute must return text, a JSON value or a result: a function, a symbol, a bigint, a Map, a Set, a Response or an object of methods alone has no JSON form";

/** Maps, sets, and the bodies of `fetch`, whose content is not in their fields. */
type Collection =
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | { readonly bodyUsed: boolean; text(): unknown };

/** The returned values of which JSON keeps nothing. */
type NoJson<Value> = 0 extends 1 & Value
  ? never
  : Value extends symbol | bigint | ((...given: never[]) => unknown) | (abstract new (...given: never[]) => unknown)
    ? Value
    : Value extends Collection
      ? Value
      : Value extends { toJSON(...given: never[]): unknown } | AsyncGenerator<unknown, unknown, never>
        ? never
        : Value extends object
          ? [keyof Value] extends [never]
            ? never
            : {
                  [Field in keyof Value]: Value[Field] extends (...given: never[]) => unknown ? never : Field;
                }[keyof Value] extends never
              ? Value
              : never
          : never;

type Executed<Output> = Output extends Schema
  ? InferInput<Output> | ToolSuccess<InferInput<Output>> | ToolFailure
  : unknown;

/** A generator that ends without a value answers with the last one that it yielded. */
type ExecutedInSteps<Output> = AsyncGenerator<
  Executed<Output> | ToolProgress | string,
  Executed<Output> | void,
  undefined
>;

/** A tool's specification with any types, as the implementation reads it. */
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
