import type { Model } from "../agent/model.ts";
import type { Session } from "../agent/session.ts";
import type { Approver } from "../supervision/approver.ts";
import type { Agent } from "../supervision/supervised-agent.ts";
import type { View } from "../terminal/view.ts";
import { createCheckedEdits } from "./checked-edits.ts";
import { createFeed } from "./feed.ts";
import { createOpenedFiles } from "./opened-files.ts";
import { createPageApprover } from "./page-approver.ts";
import { recordedModel } from "./recorded-model.ts";
import { recordedSession } from "./recorded-session.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { serveInspected, type InspectServer } from "./server.ts";

/** A view that also reports its output to a recorder. */
function recordedView(view: View, recorder: Recorder): View {
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

/** An inspection of a run: wrappers around its parts, and the page that shows it. */
export interface Inspection {
  /** Asks the person who looks at the page. */
  readonly approver: Approver;
  recordModel(model: Model): Model;
  recordView(view: View): View;
  recordSession(session: Session): Session;
  /**
   * Serves the page, once.
   *
   * @param about Facts above it, by name.
   * @returns Its address, with its token.
   */
  serve(agent: Agent, about: Readonly<Record<string, string>>): Promise<string>;
  /** Ends the page, and the calls that were made there. */
  close(): Promise<void>;
}

/** An inspection of one run. Nothing is served yet, but events are recorded from now on. */
export function createInspection(): Inspection {
  const feed = createFeed();
  const recorder = createRecorder(feed);
  const pageApprover = createPageApprover(feed, recorder);
  const opened = createOpenedFiles();
  const closing = new AbortController();
  let server: InspectServer | undefined;
  return {
    approver: pageApprover.approver,
    recordModel: (model) => recordedModel(model, recorder),
    recordView: (view) => recordedView(view, recorder),
    recordSession: (session) => recordedSession(session, recorder),
    async serve(agent, about) {
      const { signal } = closing;
      const edits = createCheckedEdits();
      server = await serveInspected({ agent, feed, recorder, opened, pageApprover, edits, about, signal });
      return server.url;
    },
    async close() {
      closing.abort(new Error("the page was closed"));
      await server?.close();
    },
  };
}
