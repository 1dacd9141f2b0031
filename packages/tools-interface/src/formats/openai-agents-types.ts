/** A tool's answer beyond plain text, in the format of the Agents SDK. */
export type OpenAiAgentsOutputPart =
  | { type: "text"; text: string }
  | { type: "image"; image: string; detail: "auto" }
  | { type: "file"; file: { data: string; mediaType: string; filename: string } };

/** The parts read of the `RunContext` of a run. */
export interface OpenAiAgentsRunContext<Context = unknown> {
  /** The context that was given to `run`. */
  readonly context: Context;
  /** Whether a person has agreed to the call; `undefined` before they have answered. */
  isToolApproved(call: { toolName: string; callId: string }): boolean | undefined;
}

/** The options of `tool()` of `@openai/agents`. */
export interface OpenAiAgentsToolOptions<Context = unknown> {
  /** Letters, digits and `_`, up to 64. */
  name: string;
  /** Describes the tool to a model. */
  description: string;
  /** JSON Schema of the arguments, with the fields that the SDK requires and JSON Schema makes optional. */
  parameters: {
    /** Always `object`. */
    type: "object";
    /** The fields. */
    properties: Record<string, Record<string, unknown>>;
    /** The names of the fields that must be there. */
    required: string[];
    /** Whether other fields are allowed, or their schema. */
    // oxlint-disable-next-line typescript/no-explicit-any -- the SDK's types want `false` beside `strict`, and else `true`
    additionalProperties: any;
  };
  /** Whether the API enforces the schema. */
  strict: boolean;
  /** Whether the model sees the tool only once a search has found it. Left out if false. */
  deferLoading?: true;
  /** Whether the run stops for a person's approval: the tool's own rule. False when `approve` is given. */
  needsApproval: boolean | ((runContext: { context: unknown }, input: unknown, callId?: string) => Promise<boolean>);
  /** Runs the call through the registry. Rejects for failures where `errorFunction` is `null`, and otherwise never. */
  execute: (
    input: unknown,
    runContext?: OpenAiAgentsRunContext<Context>,
    details?: OpenAiAgentsCallDetails,
  ) => Promise<string | OpenAiAgentsOutputPart[]>;
  /** Only there to let failures end the run. */
  errorFunction?: null;
}

/** The SDK's details of a call. */
export interface OpenAiAgentsCallDetails {
  /** The call. */
  toolCall?: { callId: string; id?: string | undefined };
  /** Aborts when the run does. */
  signal?: AbortSignal;
}

/** The functions of `@openai/agents` that make tools. */
export interface OpenAiAgentsSdk<Context, Tool, Search> {
  /** Makes a tool. */
  readonly tool: (options: OpenAiAgentsToolOptions<Context>) => Tool;
  /** Puts tools into a namespace. */
  readonly toolNamespace: (options: { name: string; description: string; tools: Tool[] }) => readonly Tool[];
  /** Makes the tool search of the Responses API. */
  readonly toolSearchTool: (options: OpenAiAgentsToolSearch<Context, Tool>) => Search;
}

/** The options of `toolSearchTool()` of `@openai/agents`. */
export interface OpenAiAgentsToolSearch<Context, Tool> {
  /** The registry searches, not the API. */
  execution: "client";
  /** Describes the search to a model. */
  description: string;
  /** JSON Schema of the arguments. */
  parameters: unknown;
  /** Answers the tools that a search finds. Never rejects, unless `errorFunction` is `null`. */
  execute: (search: {
    toolCall: { id?: string | undefined; arguments?: unknown; providerData?: Record<string, unknown> | undefined };
    runContext: OpenAiAgentsRunContext<Context>;
  }) => Promise<Tool[]>;
}

/** Options of an `Agent`. */
export interface OpenAiAgentsSettings<Tool> {
  /** The tools, as the SDK's `tool` made them. */
  tools: Tool[];
  /** Ends the run when a result says `stopLoop`. */
  toolUseBehavior: (
    runContext: unknown,
    results: readonly { readonly output?: unknown; readonly runItem: { readonly rawItem?: unknown } }[],
  ) =>
    | { isFinalOutput: false; isInterrupted: undefined }
    | { isFinalOutput: true; isInterrupted: undefined; finalOutput: string };
}

/** The next request to the model. */
export interface OpenAiAgentsModelData {
  /** The conversation. */
  input: object[];
}

/** Options of `run`. */
export interface OpenAiAgentsRunSettings {
  /** A call of an unknown tool is answered, and does not end the run. */
  toolNotFoundBehavior: "return_error_to_model";
  /** The registry's text for unknown tools. `undefined` for the SDK's own texts. */
  toolErrorFormatter: (failed: { kind: string; toolName: string; callId: string }) => Promise<string | undefined>;
  /** Records answers made without the registry. Leaves the request to the model unchanged. */
  callModelInputFilter: <Data extends OpenAiAgentsModelData>(filtered: { modelData: Data }) => Promise<Data>;
}
