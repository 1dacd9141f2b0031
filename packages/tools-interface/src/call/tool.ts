import type { IgnoredField, ValidationError } from "../error/issue.ts";
import type { JsonSchema } from "../json/json.ts";
import type { Repair, RepairPolicy } from "../repair/repair.ts";
import type { OutputKeeper } from "../result/limit-output.ts";
import type { ToolResult } from "../result/tool-result.ts";
import type { SchemaChange } from "../schema/older-drafts.ts";
import type { CallDecision, CallPolicy, DecidedCall } from "./call-policy.ts";
import type { DurableCall, DurableRun } from "./durable-call.ts";
import type { ToolMiddleware } from "./middleware.ts";
import type { ParentCall, ToolCall, ToolCaller } from "./parse-call.ts";
import type { DefaultedField } from "./resolved-defaults.ts";
import type { ToolAnnotations } from "./tool-annotations.ts";

/** A tool as plain data: its description for a model provider. */
export interface ToolDefinition {
  /** Unique in its registry. */
  readonly name: string;
  /** Describes the tool to a model. */
  readonly description: string;
  /** JSON Schema of the parameters, an object at its root. */
  readonly parameters: JsonSchema;
}

/** How far a running tool has come. */
export interface ToolProgress {
  /** One line for a person. */
  readonly message: string;
  /** Work done so far, in the unit of `total`. */
  readonly done?: number;
  /** All the work there is. */
  readonly total?: number;
}

/** The second argument of `execute`. */
export interface ToolRun<Context = unknown> {
  /** The host's context for this call, checked against the tool's `context` schema. */
  readonly context: Context;
  /** Aborts when the call is cancelled or its time is over. Reading it costs a little, so read it only to pass it on. */
  readonly signal: AbortSignal;
  /** Identifies the call, as in the transcript. */
  readonly callId: string;
  /**
   * Names the effect of this call, to be sent as the idempotency key. The same for every retry of the call, and with
   * `durable` in every process and engine; without it made up for each call.
   */
  readonly effectId: string;
  /** Steps and questions that outlive the process. `undefined` for a call that is not durable. */
  readonly durable: DurableRun | undefined;
  /** The receiver of the result. A tool may return in full to a program the data that it gives a model in parts. */
  readonly caller: ToolCaller;
  /** The calls whose tools make this call, outermost first; empty for a call that a model made. */
  readonly parents: readonly ParentCall[];
  /** This call as it stands in the `parents` of the calls that it makes, the same object. `undefined` without a registry. */
  readonly asParent: ParentCall | undefined;
  /** Reports progress to observers. Never throws. */
  readonly progress: (update: ToolProgress) => void;
  /**
   * Calls another tool of the same registry with this call's context, transcript, approver and cancellation; its
   * entry names this call as parent. Nothing starts once this call was cancelled or is out of time. `undefined` when the tool was called without a registry.
   */
  readonly dispatch: NestedDispatch | undefined;
}

/**
 * Calls another tool from inside a tool. `signal` cancels the nested call, in addition to cancellation of the outer
 * one; `caller` is `program` for a call of a program that the tool runs, default `tool`; `registry` holds the tool to
 * call, default that of the calling tool. Only a registry made by the same copy of this package counts. `admit` sees the
 * result before it is recorded and may replace it, for example because it is too large to be kept. It must not throw.
 */
export type NestedDispatch = (
  call: ToolCall,
  options?: {
    readonly signal?: AbortSignal | undefined;
    readonly caller?: "tool" | "program";
    readonly registry?: object | undefined;
    readonly admit?: ((result: ToolResult) => ToolResult) | undefined;
  },
) => Promise<ToolResult>;

export type NestedOptions = NonNullable<Parameters<NestedDispatch>[1]>;

/** The request an approver decides on. */
export interface ApprovalRequest extends Pick<
  DecidedCall,
  "callId" | "name" | "fingerprint" | "annotations" | "parents"
> {
  /** Names the effect: the same for every run of one durable call, otherwise another one for each dispatch. */
  readonly effectId: string;
  /** The validated parameters that the tool receives if approved. */
  readonly params: unknown;
  /** The fields that the call left out, with the values the tool will be given for them if approved. */
  readonly defaults: readonly DefaultedField[];
  /** Repairs made to a damaged call, in order. */
  readonly repairs: readonly Repair[];
  /** The part of the host's context that decides the effect, when the tool names one. */
  readonly approvalContext?: unknown;
  /** Why a policy asks, when one does: the ids of its rules. */
  readonly policy?: Pick<CallDecision, "rules" | "reason">;
  /**
   * Identifies the approved call: SHA-256, in hex, of the call's id and turn, the calls around it, the tool's name and
   * fingerprint, the arguments, the defaults and the approval context. The same call has the same digest in any process, as long as its id came
   * with it and its defaults are not computed anew.
   */
  readonly digest: string;
  /** The same without the defaults. `undefined` when JSON cannot hold them, so that no grant can restore them. */
  readonly callDigest?: string;
  /** When the question lapses and the call is denied, Unix time in milliseconds. */
  readonly expiresAt: number;
  /** Aborts when the call is cancelled or the question has lapsed: stop asking. */
  readonly signal: AbortSignal;
  /**
   * Checks edited parameters before they are given as an answer: whether they fit the tool, and whether a policy denies
   * them. Runs nothing, asks nobody and never rejects. Absent in requests that the host makes itself.
   */
  readonly check?: (params: unknown) => Promise<EditCheck>;
}

/** What would become of a call with edited parameters. */
export type EditCheck =
  | {
      readonly fits: true;
      /** The parameters that the tool would receive. A default that the schema computes may be another one later. */
      readonly params: unknown;
    }
  | {
      readonly fits: false;
      /** Why the call would be denied. */
      readonly reason: string;
    };

/**
 * An approver's answer. `false` without a reason is a plain refusal. With `pending` the call ends as
 * `approval_pending`: a person has been asked and will answer later; the call can then be dispatched again.
 */
export type ApprovalDecision =
  | boolean
  | {
      readonly approved: boolean;
      readonly pending?: boolean;
      readonly reason?: string;
      /** With an approval: the values that were shown earlier for the same fields, to run with instead of new ones. */
      readonly defaults?: readonly DefaultedField[];
      /**
       * With an approval: parameters to run with instead of those that were shown. They are validated, and decided by the
       * policy, as those of any call; the result lists each changed field as a repair of kind `edited`. Where a rule asks
       * that did not ask about the shown parameters, the approver is asked again.
       */
      readonly params?: unknown;
    };

/** Decides, usually by asking a person, whether a call may run. Anything but an approval denies, a throw included. */
export type Approver = (request: ApprovalRequest) => ApprovalDecision | Promise<ApprovalDecision>;

/** A call that a tool makes, as its own call passes it on. */
interface NestedCallOptions extends Omit<NestedOptions, "caller"> {
  /** The calls around it, outermost first. */
  readonly parents: readonly ParentCall[];
}

/** Options of a call, dispatched or not. `context` is required as soon as the tool, or one of a registry, needs one. */
export type HostOptions<Context = unknown> = {
  /** Cancels the call. Already aborted: the tool does not start, and the call is recorded as cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** Decides about calls that need approval. Without it such calls are denied. */
  readonly approve?: Approver | undefined;
  /** How long `approve` may take, in milliseconds; then the call is denied. Default 600,000 (ten minutes). */
  readonly approvalTimeoutMs?: number | undefined;
  /** Most characters of one result that a model is shown. The smallest limit of tool, registry and call counts. */
  readonly maxOutputChars?: number | undefined;
} & WithContext<Context>;

/** Options of `Tool.call`. */
export type CallOptions<Context = unknown> = HostOptions<Context> & {
  /** Identifies the call; made up when absent. */
  readonly callId?: string | undefined;
  /** Decides about the call before it runs. Default: the tool's own rule decides about approval. */
  readonly policy?: CallPolicy | undefined;
  /** Stands around the tool's own work, first to last from outside to inside. Default none. */
  readonly middleware?: readonly ToolMiddleware[] | undefined;
  /**
   * Stores the part cut from a result and returns a sentence on how to read it. Default: it is lost, and the text says
   * how much.
   */
  readonly keepOutput?: OutputKeeper | undefined;
  /** All calls around this one, outermost first. Default none. */
  readonly parents?: readonly ParentCall[] | undefined;
  /** `program` when the provider runs a program that makes the call. Default: the model, unless `parents` says more. */
  readonly caller?: "program" | undefined;
  /** The model's turn, of which the call's id is one: an approval is for this turn only. Default: none. */
  readonly turn?: string | undefined;
  /** Repairs made before the call arrived here, for the approver. Default none. */
  readonly repairs?: readonly Repair[] | undefined;
  /** Receives progress. Errors it throws are ignored. */
  readonly onProgress?: ((update: ToolProgress) => void) | undefined;
  /** Receives a result that came after the call had been answered as cancelled or timed out. */
  readonly onLateResult?: ((result: ToolResult) => void) | undefined;
  /** How many calls may run in this process when this one begins; otherwise `too_many_calls`. Default 10,000. */
  readonly maxRunningCalls?: number | undefined;
  /** Runs the calls of `run.dispatch`, which passes the calls around them. Default: the tool cannot call others. */
  readonly dispatch?: ((call: ToolCall, options: NestedCallOptions) => Promise<ToolResult>) | undefined;
  /** The record of a call that outlives the process; `dispatch` with `durable` sets it. Default: none. */
  readonly durableCall?: DurableCall | undefined;
};

/** `{ context: Context }`, optional when nothing is required of it. */
type WithContext<Context> = object extends Context ? { readonly context?: Context } : { readonly context: Context };

/** The result of `Tool.validate`. */
export type Validation<Params = unknown> =
  | {
      /** The parameters fit. */
      readonly success: true;
      /** The parameters with defaults applied, without the fields that the schema's own library drops. */
      readonly params: Params;
      /** The fields that it dropped; empty when there are none. */
      readonly ignored: readonly IgnoredField[];
    }
  | {
      /** The parameters do not fit. */
      readonly success: false;
      /** The fault; its message is the text a model would read. */
      readonly error: ValidationError;
    };

/**
 * A tool that a model can call. Made by `defineTool`, frozen.
 *
 * `Input` is the type a caller may pass, `Params` the type `execute` receives once defaults are applied, `Data` the
 * typed value of a success, `Context` the type the host must provide.
 */
export interface Tool<
  Name extends string = string,
  Input = unknown,
  Data = unknown,
  Context = unknown,
  Params = Input,
> {
  /** Unique in a registry. */
  readonly name: Name;
  /** Describes the tool to a model. */
  readonly description: string;
  /** JSON Schema of the parameters, frozen. */
  readonly parameters: JsonSchema;
  /** JSON Schema of the data of a success, frozen. `undefined` when the tool declares none. */
  readonly output: JsonSchema | undefined;
  /**
   * Keywords of older drafts that were read by their old meaning, in the parameters and then in the output. Empty for
   * most tools.
   */
  readonly schemaChanges: readonly SchemaChange[];
  /** The tool's effects on the world. */
  readonly annotations: ToolAnnotations;
  /** Whether a person has to agree to a call: `never`, `always`, or `sometimes`, as a rule of the tool says. */
  readonly approval: "never" | "always" | "sometimes";
  /** How long one call may run, in milliseconds. */
  readonly timeoutMs: number;
  /** How many characters a model is shown of one result, at most. */
  readonly maxOutputChars: number;
  /** SHA-256, in hex, of name, description, schemas and annotations: a tool that has changed has another one. */
  readonly fingerprint: string;
  /** Whether damaged calls are repaired. `off` for destructive tools that do not say otherwise. */
  readonly repair: RepairPolicy;
  /** Name, description and parameters as plain data, frozen. */
  readonly definition: ToolDefinition;
  /** The types behind the tool, for inference; never there at run time. */
  readonly "~types"?: { readonly input: Input; readonly data: Data; readonly context: Context };
  /** Checks parameters as they are, without repairing or running anything. Never rejects. */
  validate(params: unknown): Promise<Validation<Params>>;
  /**
   * The request an approver would receive for a call with these parameters; `undefined` if no approval is needed, or if
   * the call would fail before. Reads the context as a call does, runs nothing but the tool's own rule and never
   * rejects.
   */
  approvalRequest(
    params: unknown,
    options?: { readonly callId?: string; readonly context?: unknown },
  ): Promise<ApprovalRequest | undefined>;
  /**
   * Whether the tool declares its changes: by `readOnly: false`, `destructive`, `resource` or `needsApproval`. If the
   * resources of a call to such a tool are unknown, it runs alone in `dispatchAll`.
   */
  readonly declaresChanges: boolean;
  /**
   * The keys of the resources that a call with these parameters touches; `undefined` if it may touch anything. Never
   * throws.
   */
  resources(params: unknown): readonly string[] | undefined;
  /** Never to be called: here the compiler finds the calls without the context that the tool needs, and says so. */
  call(
    params: Input & NeedsContext<Context>,
    ...rest: object extends Context ? TooMany : []
  ): Promise<ToolResult<Data>>;
  /** Validates, repairs a damaged call, asks for approval where needed, runs. Never rejects; ends in bounded time. */
  call(params: Input, ...options: OptionsOf<CallOptions<Context>>): Promise<ToolResult<Data>>;
}

/** Something that no value is: where the compiler names it, the options of a call have no context for the tools. */
export interface NeedsContext<Context> {
  /** The context that the tools need. */
  readonly "options.context": Context;
}

/** More arguments than a call ever has: the compiler passes over a signature with them, without a word about it. */
export type TooMany = [never, never, never, never];

/** Makes the options argument optional when none of them is required. */
export type OptionsOf<Options> = object extends Options ? [options?: Options] : [options: Options];

/** A tool with any types. */
// oxlint-disable-next-line typescript/no-explicit-any -- the only type to and from which every tool is assignable
export type AnyTool = Tool<string, any, any, any, any>;
