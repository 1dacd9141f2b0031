import type { Session } from "../agent/session.ts";
import type { Person } from "../supervision/approver.ts";
import type { Agent } from "../supervision/supervised-agent.ts";
import type { View } from "../terminal/view.ts";
import { createFeed } from "./feed.ts";
import { createQuestions } from "./questions.ts";
import { watchedSession } from "./recorded-session.ts";
import { watchedView } from "./recorded-view.ts";
import { createRecorder } from "./recorder.ts";
import { serveInspected, type InspectServer } from "./server.ts";

/** A look inside of a run: what is put around its parts, and the page that shows it. */
export interface Inspection {
  /** Whoever looks at the page. */
  readonly person: Person;
  watchView(view: View): View;
  watchSession(session: Session): Session;
  /**
   * Serves the page, once.
   *
   * @param about What stands above it, by name.
   * @returns Its address, with its token.
   */
  serve(agent: Agent, about: Readonly<Record<string, string>>): Promise<string>;
  /** Ends the page, and the calls that were made there. */
  close(): Promise<void>;
}

/** A look inside of one run. Nothing is served yet, but what happens is kept from now on. */
export function createInspection(): Inspection {
  const feed = createFeed();
  const recorder = createRecorder(feed);
  const questions = createQuestions(feed, recorder);
  const closing = new AbortController();
  let server: InspectServer | undefined;
  return {
    person: questions.person,
    watchView: (view) => watchedView(view, recorder),
    watchSession: (session) => watchedSession(session, recorder),
    async serve(agent, about) {
      server = await serveInspected({ agent, feed, recorder, questions, about, signal: closing.signal });
      return server.url;
    },
    async close() {
      closing.abort(new Error("the page was closed"));
      await server?.close();
    },
  };
}
