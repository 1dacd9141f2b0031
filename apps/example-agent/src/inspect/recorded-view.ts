import type { View } from "../terminal/view.ts";
import type { Recorder } from "./recorder.ts";

/** A view that also reports its output to a recorder. */
export function recordedView(view: View, recorder: Recorder): View {
  return {
    ...view,
    turn() {
      recorder.status("thinking", "The model thinks");
      view.turn();
    },
    text(piece) {
      recorder.text(piece);
      view.text(piece);
    },
    event(event) {
      recorder.event(event, "agent");
      if (event.type === "call-start") recorder.status("working", "Calls run");
      view.event(event);
    },
    notice(text) {
      recorder.said("notice", text);
      view.notice(text);
    },
    note(text) {
      recorder.said("note", text);
      view.note(text);
    },
    rest() {
      recorder.status("resting", "Nothing runs");
      view.rest();
    },
    summary(text) {
      recorder.status("ended", text);
      view.summary(text);
    },
    waits(callId) {
      const ends = [view.waits(callId), recorder.waits(callId)];
      return () => {
        for (const end of ends) end();
      };
    },
    callerOf: (callId) => view.callerOf(callId) ?? recorder.callerOf(callId),
  };
}
