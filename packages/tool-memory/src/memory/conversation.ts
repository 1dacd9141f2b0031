import type { Source } from "../block/provenance.ts";

/** A message of a conversation, as most model APIs have them. */
export interface Message {
  /** `user`, `assistant`, `tool` or another role of the host's. */
  readonly role: string;
  /** The text, or parts of which those with a `text` count. */
  readonly content: string | readonly MessagePart[];
  /** The speaker's name. Default: the role. */
  readonly name?: string | undefined;
  /**
   * The source of the text, at most as trusted as `agent`. Default: `tool` for the role `tool`, otherwise that of the memory.
   */
  readonly source?: Source | undefined;
}

/** A part of a message. */
export interface MessagePart {
  /** The text of a part that has one. */
  readonly text?: string | undefined;
}

/** The text of a message: its parts with an empty line between them, without characters that no memory can keep. */
export function textOf({ content }: Pick<Message, "content">): string {
  const texts = typeof content === "string" ? [content] : content.map(({ text }) => text ?? "");
  return texts
    .map((text) => text.replaceAll("\0", "").toWellFormed().trim())
    .filter((text) => text !== "")
    .join("\n\n");
}
