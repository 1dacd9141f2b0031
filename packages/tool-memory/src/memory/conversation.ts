import { toAgentSource, type Source } from "../block/memory-block.ts";

/** A message of a conversation, as most model APIs have them. */
export interface Message {
  /** `user`, `assistant`, `tool` or another role of the host's. */
  readonly role: string;
  /** The text, or parts of which those with a `text` count. */
  readonly content: string | readonly MessagePart[];
  /** The speaker's name. Default: the role. */
  readonly name?: string | undefined;
  /**
   * The source of the text, at most as trusted as `agent`. Default: `tool` for the role of a tool or function, otherwise that
   * of the memory.
   */
  readonly source?: Source | undefined;
}

/** A part of a message. */
export interface MessagePart {
  /** The text of a part that has one. */
  readonly text?: string | undefined;
}

/** Roles under which model APIs give the answers of tools. */
const TOOL_ROLES = /^(?:tool|function|ipython|observation|environment)/iu;

/** Maximum length of a speaker's name in a note. */
const MAX_SPEAKER_CHARS = 100;

/** The source of a message; `undefined` for that of the memory. */
export function sourceOf({ role, source }: Pick<Message, "role" | "source">): Source | undefined {
  if (source !== undefined) return toAgentSource(source);
  return TOOL_ROLES.test(role) ? "tool" : undefined;
}

/** The speaker of a message, who may have chosen the name. */
export function speakerOf({ role, name }: Pick<Message, "role" | "name">): string {
  return toKept(name ?? role)
    .slice(0, MAX_SPEAKER_CHARS)
    .toWellFormed();
}

/** The text of a message: its parts with an empty line between them, without characters that no memory can keep. */
export function textOf({ content }: Pick<Message, "content">): string {
  // Messages with nothing but calls have no content in some APIs, and parts of other shapes in all.
  const parts: readonly unknown[] = Array.isArray(content) ? content : [{ text: content }];
  return parts
    .map((part) => (part as MessagePart | null)?.text)
    .map((text: unknown) => (typeof text === "string" ? toKept(text) : ""))
    .filter((text) => text !== "")
    .join("\n\n");
}

function toKept(text: string): string {
  return text.replaceAll("\0", "").toWellFormed().trim();
}
