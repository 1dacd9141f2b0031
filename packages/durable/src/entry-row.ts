import { type TranscriptEntry } from "@dispatch/tools-interface";
import { toPlainEntry } from "@dispatch/tools-interface/internal";
import { toColumn, toIndexed } from "./column-text.ts";
import { entryDigest } from "./memory-engine.ts";

/** The columns of a transcript entry. */
export type EntryRow = readonly [session: string, digest: string, callId: string, turn: string | null, entry: string];

/** The columns of an entry of a session. */
export function toEntryRow(session: string, entry: TranscriptEntry): EntryRow {
  const plain = toPlainEntry(entry);
  const { callId, turn = null } = plain;
  return [toIndexed(session), entryDigest(plain), toIndexed(callId), turn && toColumn(turn), JSON.stringify(plain)];
}
