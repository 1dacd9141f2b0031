import { toKey } from "../block/label.ts";
import type { MemoryManager, WriteResult } from "../block/memory-manager.ts";
import { sourceOf, speakerOf, textOf, type Message } from "./conversation.ts";

/** Options of a log. */
export interface LogOptions {
  /**
   * The conversation: notes of one are neighbours, which the search knows. Letters, digits, `-`, `_`, `.` and spaces. Default:
   * the `session` of the memory, otherwise the day.
   */
  readonly conversation?: string | undefined;
}

/** The parts of a memory that a log needs. */
export interface LogParts {
  readonly manager: Pick<MemoryManager, "write">;
  /** The last key that begins so: the longest, then the greatest; `null` for none. */
  readonly lastKey: (prefix: string) => Promise<string | null>;
  readonly session: string | null;
  readonly maxChars: number;
}

/** Tries to find a free number when others log the same conversation. */
const TRIES = 100;

/**
 * Writes one archival note for each message that has a text, in their order: `log/CONVERSATION/NUMBER`, its text `SPEAKER: …`.
 * A message that is longer than a note may be becomes several. A note that a label's permission refuses or queues is
 * answered like any other write, and the rest go on.
 */
export async function logMessages(
  { manager, lastKey, session, maxChars }: LogParts,
  messages: readonly Message[],
  { conversation = session ?? new Date().toISOString().slice(0, "2026-01-01".length) }: LogOptions = {},
): Promise<readonly WriteResult[]> {
  const directory = `log/${toLabelPart(conversation)}/`;
  let number = Number(/\d{1,12}$/u.exec((await lastKey(toKey(directory))) ?? "")?.[0] ?? 0);
  const results: WriteResult[] = [];
  for (const message of messages) {
    const text = textOf(message);
    if (text === "") continue;
    const speaker = speakerOf(message);
    for (const part of toParts(text, maxChars - speaker.length - 2)) {
      const note = {
        content: `${speaker}: ${part}`,
        tier: "archival",
        expectVersion: 0,
        source: sourceOf(message),
      } as const;
      let result: WriteResult;
      let tries = 0;
      do {
        // In ever longer steps, past notes that others are writing.
        number += tries + 1;
        result = await manager.write({ ...note, label: `${directory}${toNumber(number)}` });
      } while (result.outcome === "conflict" && ++tries < TRIES);
      results.push(result);
    }
  }
  return results;
}

/** Of the same length, so that labels sort as they were written. */
function toNumber(number: number): string {
  return String(number).padStart(4, "0");
}

/** A part of a label that holds every name: other characters become `-`. */
function toLabelPart(name: string): string {
  const part = name
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N} _.-]+/gu, "-")
    .replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "")
    .slice(0, 64)
    .toWellFormed();
  return part === "" ? "conversation" : part;
}

function toParts(text: string, maxChars: number): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  while (text.length - from > maxChars) {
    const space = text.lastIndexOf(" ", from + maxChars);
    let end = space > from + maxChars / 2 ? space : from + maxChars;
    if (/[\ud800-\udbff]/u.test(text.charAt(end - 1)) && end > from + 1) end -= 1;
    parts.push(text.slice(from, end).trim());
    from = end;
  }
  parts.push(text.slice(from).trim());
  return parts.filter((part) => part !== "");
}
