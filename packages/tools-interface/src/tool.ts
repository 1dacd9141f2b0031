import type { ToolCall } from "./tool-call.ts";
import type { ValidationError } from "./issue.ts";
import type { JsonSchema } from "./json.ts";
import type { RepairPolicy } from "./repair.ts";
import type { ToolResult } from "./tool-result.ts";

/** What a tool does to the world. Hosts decide by it; models never see it. The words are those of MCP. */
export interface ToolAnnotations {
  /** Changes nothing. `dispatchAll` runs such calls at the same time. Default false. */
  readonly readOnly?: boolean;
  /** May overwrite or delete what was there. Default false. */
  readonly destructive?: boolean;
  /** A second call with the same parameters changes nothing more. Default false. */
  readonly idempotent?: boolean;
  /** Reaches things beyond the host's control, such as the web. Default false. */
  readonly openWorld?: boolean;
}

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
  /** Tells observers how far the work has come. Never throws. */
  progress(update: ToolProgress): void;
  /**
   * Calls another tool of the same registry with this call's context, transcript, approver and cancellation; its
   * entry names this call as parent. `undefined` when the tool was called without a registry.
   */
  readonly dispatch: NestedDispatch | undefined;
}

/** Calls another tool from inside a tool. `signal` cancels the nested call besides what cancels the outer one. */
export type NestedDispatch = (call: ToolCall, options?: { readonly signal?: AbortSignal }) => Promise<ToolResult>;

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
  /** Aborts when the call is cancelled: stop asking. */
  readonly signal: AbortSignal;
}

/** An approver's answer. `false` without a reason is a plain refusal. */
export type ApprovalDecision = boolean | { readonly approved: boolean; readonly reason?: string };

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
  /** Hears of progress. What it throws is ignored. */
  readonly onProgress?: ((update: ToolProgress) => void) | undefined;
  /** Hears of a result that came after the call had been answered as cancelled or timed out. */
  readonly onLateResult?: ((result: ToolResult) => void) | undefined;
  /** Becomes `run.dispatch`. */
  readonly dispatch?: NestedDispatch | undefined;
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
      /** The parameters with defaults applied and unknown fields dropped. */
      readonly params: Params;
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
  /** What the tool does to the world. */
  readonly annotations: ToolAnnotations;
  /** How long one call may run, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether damaged calls are repaired. `off` for destructive tools that do not say otherwise. */
  readonly repair: RepairPolicy;
  /** Name, description and parameters as plain data, frozen. */
  readonly definition: ToolDefinition;
  /** The types behind the tool, for inference; never there at run time. */
  readonly "~types"?: { readonly input: Input; readonly data: Data; readonly context: Context };
  /** Checks parameters as they are, without repairing or running anything. Never rejects. */
  validate(params: unknown): Promise<Validation<Params>>;
  /** Validates, repairs what is damaged, asks for approval where needed, runs. Never rejects; ends in bounded time once approved. */
  call(params: Input, ...options: OptionsOf<CallOptions<Context>>): Promise<ToolResult<Data>>;
}

/** Makes the options argument optional when none of them is required. */
export type OptionsOf<Options> = object extends Options ? [options?: Options] : [options: Options];

/** A tool whatever its types. */
// oxlint-disable-next-line typescript/no-explicit-any -- the only type to and from which every tool is assignable
export type AnyTool = Tool<string, any, any, any, any>;
