import { sha256 } from "../json/sha256.ts";
import type { OutputKeeper } from "../result/limit-output.ts";
import { argumentsText } from "./recorded-result.ts";
import type { TranscriptEntry } from "./transcript.ts";

/** Longer arguments are not held whole, in characters of JSON. */
const MAX_HELD_CHARS = 65_536;
/** How much of them is held. */
const HEAD_CHARS = 1_000;

/**
 * The arguments of a call as its transcript entry holds them: whole, or, of very long ones, their beginning and their
 * digest. Then the whole JSON text goes to the keeper of outputs, if there is one.
 *
 * @param copied The arguments, JSON data.
 */
export function heldArguments(
  copied: unknown,
  { callId, name, keep }: { readonly callId: string; readonly name: string; readonly keep: OutputKeeper | undefined },
): Pick<TranscriptEntry, "arguments" | "argumentsDigest"> {
  if (roomAfter(copied, MAX_HELD_CHARS) >= 0) return { arguments: copied };
  const text = typeof copied === "string" ? copied : JSON.stringify(copied);
  let how: string | undefined;
  try {
    how = keep?.({ callId, name, text });
  } catch {
    // The text was not kept.
  }
  // Written and read again, because a part of a text holds all of it in memory.
  const head = JSON.parse(JSON.stringify(text.slice(0, HEAD_CHARS).toWellFormed())) as string;
  return {
    arguments: `${head}\n[cut: ${text.length} characters. ${how ?? "The rest was not kept"}]`,
    argumentsDigest: sha256(argumentsText(copied)),
  };
}

/** The characters that are left after writing a value as JSON, about: negative if it is longer. Stops where it is. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length - 2;
  if (typeof value !== "object" || value === null) return room - 4;
  let left = room - 2;
  for (const key in value) {
    if (left < 0) return left;
    left = roomAfter((value as Record<string, unknown>)[key], left - key.length - 2);
  }
  return left;
}
