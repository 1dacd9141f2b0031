import type { IgnoredField } from "../error/ignored-field.ts";
import type { ValidationError } from "../error/issue.ts";
import type { JsonSchema } from "../json/json.ts";
import type { Repair, RepairPolicy } from "../repair/repair.ts";
import type { OutputKeeper } from "../result/limit-output.ts";
import type { ToolResult } from "../result/tool-result.ts";
import type { SchemaChange } from "../schema/older-drafts.ts";
import type { DurableRun, KeptCall } from "./kept-call.ts";
import type { ToolMiddleware } from "./middleware.ts";
import type { ToolCall } from "./parse-call.ts";
import type { DefaultedField } from "./settled-defaults.ts";
import type { ToolAnnotations } from "./tool-annotations.ts";

/** A tool as plain data: what a model provider is told of it. */
export interface ToolDefinition {
  /** Unique in its registry. */
  readonly name: string;
  /** What the tool does, for a model. */
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

/** What `execute` is given beside its parameters. */
export interface ToolRun<Context = unknown> {
  /** What the host gave for this call, checked against the tool's `context` schema. */
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
  /** Who gets the result. A tool may give a program all of what it gives a model in parts. */
  readonly caller: ToolCaller;
  /** Tells observers how far the work has come. Never throws. */
  readonly progress: (update: ToolProgress) => void;
  /**
   * Calls another tool of the same registry with this call's context, transcript, approver and cancellation; its
   * entry names this call as parent. Nothing starts once this call was cancelled or is out of time. `undefined` when the tool was called without a registry.
   */
  readonly dispatch: NestedDispatch | undefined;
}

/** Who gets the result of a call: a model, another tool, or a program that a tool runs. */
export type ToolCaller = "model" | "tool" | "program";

/**
 * Calls another tool from inside a tool. `signal` cancels the nested call besides what cancels the outer one; `caller` is
 * `program` for a call of a program that the tool runs, default `tool`; `registry` is the one whose tool is called, default that of
 * the calling tool. It counts where the same copy of this package made it.
 */
export type NestedDispatch = (
  call: ToolCall,
  options?: {
    readonly signal?: AbortSignal;
    readonly caller?: "tool" | "program";
    readonly registry?: object | undefined;
  },
) => Promise<ToolResult>;

/** A call whose tool makes another call. */
export interface ParentCall {
  /** Identifies the call. */
  readonly callId: string;
  /** Name of its tool. */
  readonly name: string;
  /** `program` when a program makes the call, which the tool runs. */
  readonly caller?: "program";
}

/** What an approver decides about. */
export interface ApprovalRequest {
  /** Identifies the call. */
  readonly callId: string;
  /** Name of the tool. */
  readonly name: string;
  /** The parameters, validated: what the tool will be given if approved. */
  readonly params: unknown;
  /** What the tool says of itself. */
  readonly annotations: ToolAnnotations;
  /** The fields that the call left out, with the values the tool will be given for them if approved. */
  readonly defaults: readonly DefaultedField[];
  /** What was changed of a damaged call, in order. */
  readonly repairs: readonly Repair[];
  /** The calls whose tools make this call, outermost first; empty for a call that a model made. */
  readonly parents: readonly ParentCall[];
  /** The part of the host's context that decides the effect, when the tool names one. */
  readonly approvalContext?: unknown;
  /**
   * What a yes is a yes to: SHA-256, in hex, of the call's id, the tool's name and fingerprint, the arguments, the
   * defaults and the approval context. The same call has the same digest in any process, as long as its id came with it
   * and its defaults are not computed anew.
   */
  readonly digest: string;
  /** The same without the defaults. `undefined` when JSON cannot hold them, so that no grant can restore them. */
  readonly callDigest?: string;
  /** When the question lapses and the call is denied, Unix time in milliseconds. */
  readonly expiresAt: number;
  /** Aborts when the call is cancelled or the question has lapsed: stop asking. */
  readonly signal: AbortSignal;
}

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
    };

/** Decides, usually by asking a person, whether a call may run. Anything but an approval denies, a throw included. */
export type Approver = (request: ApprovalRequest) => ApprovalDecision | Promise<ApprovalDecision>;

/** Options of `Tool.call`. `context` is required as soon as the tool needs one. */
export type CallOptions<Context = unknown> = {
  /** Cancels the call. Already aborted: the tool does not start. */
  readonly signal?: AbortSignal | undefined;
  /** Identifies the call; made up when absent. */
  readonly callId?: string | undefined;
  /** Answers for tools that need approval. Without it such calls are denied. */
  readonly approve?: Approver | undefined;
  /** How long an approver may take, in milliseconds; then the call is denied. Default 600,000 (ten minutes). */
  readonly approvalTimeoutMs?: number | undefined;
  /** Stands around the tool's own work, first to last from outside to inside. Default none. */
  readonly middleware?: readonly ToolMiddleware[] | undefined;
  /** How many characters a model is shown of the result, at most; the tool's own limit counts too. Default the tool's. */
  readonly maxOutputChars?: number | undefined;
  /** Takes in what is cut from a result and says how to get at it. Default: it is lost, and the text says how much. */
  readonly keepOutput?: OutputKeeper | undefined;
  /** The call during which this one is made, for nested calls. */
  readonly parentCallId?: string | undefined;
  /** All calls around this one, outermost first. Default none. */
  readonly parents?: readonly ParentCall[] | undefined;
  /** `program` when the provider runs a program that makes the call. Default: the model, unless `parents` says more. */
  readonly caller?: "program" | undefined;
  /** What was changed of the call before it came here, for the approver. Default nothing. */
  readonly repairs?: readonly Repair[] | undefined;
  /** Hears of progress. What it throws is ignored. */
  readonly onProgress?: ((update: ToolProgress) => void) | undefined;
  /** Hears of a result that came after the call had been answered as cancelled or timed out. */
  readonly onLateResult?: ((result: ToolResult) => void) | undefined;
  /** Becomes `run.dispatch`. */
  readonly dispatch?: NestedDispatch | undefined;
  /** The record of a call that outlives the process; `dispatch` with `durable` sets it. Default: none. */
  readonly kept?: KeptCall | undefined;
} & WithContext<Context>;

/** `{ context: Context }`, optional when nothing is required of it. */
export type WithContext<Context> = object extends Context
  ? { readonly context?: Context }
  : { readonly context: Context };

/** What `Tool.validate` answers. */
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
      /** What is wrong; its message is what a model would read. */
      readonly error: ValidationError;
    };

/**
 * A tool: something a model can ask for. Made by `defineTool`, frozen.
 *
 * `Input` is what a caller may pass, `Params` what `execute` receives once defaults are applied, `Data` the typed value
 * of a success, `Context` what the host must provide.
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
  /** What the tool does, for a model. */
  readonly description: string;
  /** JSON Schema of the parameters, frozen. */
  readonly parameters: JsonSchema;
  /** JSON Schema of the data of a success, frozen. `undefined` when the tool declares none. */
  readonly output: JsonSchema | undefined;
  /**
   * What was read otherwise than a schema says it: words of older drafts, in the parameters and then in the output. Empty
   * for most tools.
   */
  readonly schemaChanges: readonly SchemaChange[];
  /** What the tool does to the world. */
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
   * What an approver would be asked about a call with these parameters; `undefined` when no approval is needed, or when the
   * call would fail before. Reads the context as a call does, runs nothing but the tool's own rule and never rejects.
   */
  approvalRequest(
    params: unknown,
    options?: { readonly callId?: string; readonly context?: unknown },
  ): Promise<ApprovalRequest | undefined>;
  /**
   * Whether the tool declares what it changes: by `readOnly: false`, `destructive`, `resource` or `needsApproval`. Where it is
   * unknown what a call of such a tool touches, it runs alone in `dispatchAll`.
   */
  readonly declaresChanges: boolean;
  /** The keys of what a call with these parameters touches; `undefined` when it may touch anything. Never throws. */
  resources(params: unknown): readonly string[] | undefined;
  /** Validates, repairs what is damaged, asks for approval where needed, runs. Never rejects; ends in bounded time. */
  call(params: Input, ...options: OptionsOf<CallOptions<Context>>): Promise<ToolResult<Data>>;
}

/** Makes the options argument optional when none of them is required. */
export type OptionsOf<Options> = object extends Options ? [options?: Options] : [options: Options];

/** A tool whatever its types. */
// oxlint-disable-next-line typescript/no-explicit-any -- the only type to and from which every tool is assignable
export type AnyTool = Tool<string, any, any, any, any>;
