import type { MemoryTranscript, TranscriptEntry } from "@dispatch/tools-interface";
import type { Message } from "../agent/conversation.ts";
import type { Session } from "../agent/session.ts";
import type { Recorder } from "./recorder.ts";

/** The recorded parts of a conversation. */
interface Conversation {
  readonly messages: readonly Message[];
  readonly transcript: Pick<MemoryTranscript, "entries" | "find">;
}

/** A session that also reports each message to a recorder, and at once the messages and calls that it holds already. */
export function recordedSession(session: Session, recorder: Recorder): Session {
  recordConversation(session, recorder);
  return {
    ...session,
    add(message) {
      session.add(message);
      tell(message, recorder);
    },
  };
}

/** Reports a whole conversation to a recorder, calls of programs under their program. */
export function recordConversation({ messages, transcript }: Conversation, recorder: Recorder): void {
  const nested = Map.groupBy(transcript.entries, ({ parentCallId }) => parentCallId);
  const told = new Set<TranscriptEntry>();
  let at = transcript.entries[0]?.startedAt ?? 0;
  for (const message of messages) {
    const calls = message.role === "assistant" ? message.calls : [];
    const entries = calls.flatMap(({ id, turn }) => (id === undefined ? [] : (transcript.find(id, turn) ?? [])));
    // When a turn was is not recorded; its calls began when its answer was whole.
    at = entries[0]?.startedAt ?? at;
    if (message.role === "assistant") recorder.turns.restored(message, at);
    tell(message, recorder);
    for (const entry of entries) {
      if (told.has(entry)) continue;
      // The set grows while it is walked. It holds each entry once, also when entries name each other as parents.
      const withNested = new Set([entry]);
      for (const { callId } of withNested) for (const child of nested.get(callId) ?? []) withNested.add(child);
      for (const one of withNested) told.add(one);
      recorder.recorded([...withNested]);
    }
  }
}

function tell(message: Message, recorder: Recorder): void {
  if (message.role === "user") recorder.said("person", message.text);
  else if (message.role === "assistant") recorder.turnEnds(message.text);
}
