import type { TranscriptEntry } from "@dispatch/tools-interface";
import type { Message } from "../agent/conversation.ts";
import type { Session } from "../agent/session.ts";
import type { Recorder } from "./recorder.ts";

/** A session that also tells a recorder what is said, and at once what was said and called in it before. */
export function recordedSession(session: Session, recorder: Recorder): Session {
  const nested = Map.groupBy(session.transcript.entries, ({ parentCallId }) => parentCallId);
  const withNested = (entry: TranscriptEntry): readonly TranscriptEntry[] => [
    entry,
    ...(nested.get(entry.callId) ?? []).flatMap(withNested),
  ];
  const tell = (message: Message): void => {
    if (message.role === "user") recorder.said("person", message.text);
    else if (message.role === "assistant") recorder.turnEnds(message.text);
  };
  for (const message of session.messages) {
    tell(message);
    if (message.role !== "assistant") continue;
    for (const { id } of message.calls) {
      const entry = id === undefined ? undefined : session.transcript.find(id);
      if (entry !== undefined) recorder.recorded(withNested(entry));
    }
  }
  return {
    ...session,
    add(message) {
      session.add(message);
      tell(message);
    },
  };
}
