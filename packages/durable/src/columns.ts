import type { JsonValue, TranscriptEntry } from "@dispatch/tools-interface";
import { sha256, toPlainEntry } from "@dispatch/tools-interface/internal";
import type { QuestionState } from "./await-answer.ts";
import type { OpenWait } from "./durable-engine.ts";
import { entryDigest } from "./memory-engine.ts";

/** Longest text of an index, in characters: two of four bytes each fit into a row of PostgreSQL's, and one into an address. */
const MAX_INDEXED_CHARS = 200;
const SHORTENED = "sha256:";

/** Texts that are no segment of an address: they would name another one. */
const NO_SEGMENT = /^\.{0,2}$/;

/**
 * Text for a column or key that cannot hold NUL or half a surrogate pair, or for a segment of an address. Different texts stay
 * different: such a text, and one that begins with a quotation mark, is written as JSON.
 */
export function toColumn(text: string): string {
  const isPlain = !text.includes("\0") && !text.startsWith('"') && text.isWellFormed() && !NO_SEGMENT.test(text);
  return isPlain ? text : JSON.stringify(text);
}

/** The text that a column holds. */
export function fromColumn(column: string): string {
  return column.startsWith('"') ? String(JSON.parse(column)) : column;
}

/** Text for a column or key that is only compared: long ones are shortened to their hash. Different texts stay different. */
export function toIndexed(text: string): string {
  const column = toColumn(text);
  const isLong = column.length > MAX_INDEXED_CHARS || column.startsWith(SHORTENED);
  return isLong ? SHORTENED + sha256(column) : column;
}

/** A row of the table of questions. SQLite writes booleans as 0 and 1, PostgreSQL's driver gives large integers as text. */
type QuestionRow = Readonly<Record<string, unknown>>;

/** The state of the question in a row. */
export function toQuestionState({ answer, lapsed, expires_at: expires }: QuestionRow): QuestionState {
  const expiresAt = expires === null ? undefined : Number(expires);
  if (typeof answer === "string") return { expiresAt, answered: { lapsed: false, answer: JSON.parse(answer) } };
  return { expiresAt, answered: lapsed === 1 || lapsed === true ? { lapsed: true } : undefined };
}

/** The question in a row that has no outcome. */
export function toOpenWait({ key, kind, question, since, expires_at: expires }: QuestionRow): OpenWait {
  const asked = {
    key: fromColumn(String(key)),
    kind: fromColumn(String(kind)),
    question: JSON.parse(String(question)) as JsonValue,
  };
  return { ...asked, since: Number(since), ...(expires !== null && { expiresAt: Number(expires) }) };
}

/** The columns of a transcript entry. */
export type EntryRow = readonly [session: string, digest: string, callId: string, turn: string | null, entry: string];

/** The columns of an entry of a session. */
export function toEntryRow(session: string, entry: TranscriptEntry): EntryRow {
  const plain = toPlainEntry(entry);
  const { callId, turn = null } = plain;
  return [toIndexed(session), entryDigest(plain), toIndexed(callId), turn && toColumn(turn), JSON.stringify(plain)];
}
