import { canonicalText } from "../json/canonical-text.ts";
import { sha256 } from "../json/sha256.ts";
import type { TranscriptEntry } from "../transcript/transcript.ts";

/** The same for entries that say the same of the same call, whenever and by whichever process they are written. */
export function entryDigest(entry: TranscriptEntry): string {
  const { callId, turn = null, parentCallId = null, name, arguments: sent = null, argumentsDigest, result } = entry;
  const called = argumentsDigest === undefined ? sent : [sent, argumentsDigest];
  return sha256(canonicalText([callId, turn, parentCallId, name, called, result]));
}
