import { asBuffer } from "../text/as-buffer.ts";
import { answeredValue, threadAnswer, type ThreadAnswer } from "../thread/thread-answer.ts";
import { makeEdit, type EditOutcome, type EditRequest } from "./make-edit.ts";

/** {@link makeEdit} for a request that was sent to this thread. */
export function answerEdit({ now, expected, ...request }: EditRequest): ThreadAnswer<EditOutcome> {
  const base = expected?.base === undefined ? undefined : asBuffer(expected.base);
  return threadAnswer(() => makeEdit({ ...request, now: asBuffer(now), expected: expected && { ...expected, base } }));
}

/** The outcome of an edit, or the error, as the thread found it. */
export function outcomeOf(answer: ThreadAnswer<EditOutcome>): EditOutcome {
  const outcome = answeredValue(answer);
  return { ...outcome, bytes: asBuffer(outcome.bytes) };
}
