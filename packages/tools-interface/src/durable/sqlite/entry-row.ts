import { toPlainEntry, type TranscriptEntry } from "../../transcript/transcript.ts";
import { entryDigest } from "../entry-digest.ts";

/** The columns of a transcript entry. */
export type EntryRow = readonly [session: string, digest: string, callId: string, turn: string | null, entry: string];

/** Records an entry, once. */
export const INSERT_ENTRY =
  "INSERT INTO entry (session, digest, call_id, turn, entry) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";

/** The columns of an entry of a session. */
export function toEntryRow(session: string, entry: TranscriptEntry): EntryRow {
  const plain = toPlainEntry(entry);
  const { callId, turn = null } = plain;
  return [session, entryDigest(plain), callId, turn, JSON.stringify(plain)];
}
