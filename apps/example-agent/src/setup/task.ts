import { isUnfinished, type Session } from "../agent/session.ts";
import { DEFAULT_TASK } from "./options.ts";

/**
 * The first message to the model; `undefined` to let it go on with its work.
 *
 * @throws {Error} When a resumed session is at its end and there is no new request.
 */
export function taskFor(session: Session, asked: string | undefined): string | undefined {
  if (asked !== undefined || isUnfinished(session)) return asked;
  if (session.messages.length === 0) return DEFAULT_TASK;
  throw new Error(`Cannot go on with ${session.id ?? "the session"}: it is done; say what to do next with --task`);
}
