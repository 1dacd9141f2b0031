/** The content of a tool result. */
export type AnthropicContentBlock =
  | { type: "text"; text: string }
  | AnthropicImageBlock
  | AnthropicDocumentBlock
  | AnthropicToolReference;

/** A deferred tool that a search has found. */
export interface AnthropicToolReference {
  /** Marks the kind of block. */
  type: "tool_reference";
  /** The API's name of the tool. */
  tool_name: string;
}

/** An image in a tool result. */
export interface AnthropicImageBlock {
  /** Marks the kind of block. */
  type: "image";
  /** The image itself. */
  source: { type: "base64"; media_type: "image/jpeg" | "image/png" | "image/gif" | "image/webp"; data: string };
}

/** A PDF in a tool result. */
export interface AnthropicDocumentBlock {
  /** Marks the kind of block. */
  type: "document";
  /** The document itself. */
  source: { type: "base64"; media_type: "application/pdf"; data: string };
  /** Name of the file. */
  title?: string;
}

/** The result of one tool use. */
export interface AnthropicToolResult {
  /** Marks the kind of block. */
  type: "tool_result";
  /** The id of the `tool_use` block. */
  tool_use_id: string;
  /** Content for the model. Left out if there is none. */
  content?: string | AnthropicContentBlock[];
  /** True for a failure. Left out for a success. */
  is_error?: true;
}

/** The message with all results of a turn. */
export interface AnthropicResultMessage {
  /** Results come from the user's side. */
  role: "user";
  /** One block a call, in the order of the calls. Text for the model may be added after them, not before. */
  content: AnthropicToolResult[];
}
