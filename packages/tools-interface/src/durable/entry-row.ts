import { toPlainEntry, type TranscriptEntry } from "../transcript/transcript.ts";
import { toColumn } from "./column-text.ts";
import { entryDigest } from "./entry-digest.ts";

/** The columns of a transcript entry. */
export type EntryRow = readonly [session: string, digest: string, callId: string, turn: string | null, entry: string];

/** The columns of an entry of a session. */
export function toEntryRow(session: string, entry: TranscriptEntry): EntryRow {
  const plain = toPlainEntry(entry);
  const { callId, turn = null } = plain;
  return [session, entryDigest(plain), callId, turn, JSON.stringify(plain)];
}

/** The columns of an entry where a column cannot hold every text. */
export function toPlainRow(session: string, entry: TranscriptEntry): EntryRow {
  const [name, digest, callId, turn, text] = toEntryRow(session, entry);
  return [toColumn(name), digest, toColumn(callId), turn && toColumn(turn), text];
}
