import { cleanText } from "@dispatch/tools-interface/display";
import { callsBefore } from "../agent/conversation.ts";
import type { Session } from "../agent/session.ts";
import { showCall } from "./call-line.ts";
import { newCall } from "./running-calls.ts";
import type { Screen } from "./screen.ts";

/** Messages of a resumed session that are shown, and lines of one. */
const [MESSAGES_SHOWN, LINES_SHOWN] = [12, 8];

/** Shows the end of a session that is resumed. */
export function showHistory(screen: Screen, { messages }: Pick<Session, "messages">): void {
  const { line, paint } = screen;
  const first = Math.max(0, messages.length - MESSAGES_SHOWN);
  if (first > 0) line(paint("dim", `${first} earlier messages`));
  for (const [offset, message] of messages.slice(first).entries()) {
    if (message.role !== "tool") {
      const rows = cleanText(message.text).trim().split("\n");
      if (rows.join("") === "") continue;
      line();
      for (const [index, row] of rows.slice(0, LINES_SHOWN).entries()) {
        line(message.role === "user" ? `${index === 0 ? paint("cyan", "› ") : "  "}${row}` : row);
      }
      if (rows.length > LINES_SHOWN) line(paint("dim", `  and ${rows.length - LINES_SHOWN} more lines`));
      continue;
    }
    const calls = callsBefore(messages, first + offset);
    for (const [at, result] of message.results.entries()) {
      const { id: callId = "", name = "", arguments: sent } = calls[at] ?? {};
      // The recorded time would include the person's.
      const event = {
        type: "call-end",
        callId,
        parentCallId: undefined,
        name,
        result,
        durationMs: Number.NaN,
      } as const;
      showCall(screen, newCall(name, sent), event, false);
    }
  }
}
