import { randomUUID } from "node:crypto";
import type { EditableCall, EditedArguments } from "../supervision/editable-call.ts";
import { RequestError } from "./check-request.ts";

/** Changed arguments that a page was shown the changes of. What is approved is what was shown, for that question alone. */
export interface CheckedEdits {
  /**
   * Checks the arguments that a person changed.
   *
   * @throws {RequestError} When they do not fit the tool.
   */
  check(question: string, call: EditableCall, params: unknown): Promise<{ key: string; changes: readonly string[] }>;
  /**
   * The arguments behind a key, once.
   *
   * @throws {RequestError} When the key is not the latest one of this question.
   */
  take(question: string, key: string): EditedArguments;
}

/** Questions whose changed arguments are kept. */
const MAX_KEPT = 20;

/** The changed arguments that wait to be approved, the latest of each question. */
export function createCheckedEdits(): CheckedEdits {
  const kept = new Map<string, EditedArguments & { readonly key: string }>();
  return {
    async check(question, call, params) {
      const edited = await call.check(params);
      if ("problem" in edited) throw new RequestError(422, edited.problem);
      const key = randomUUID();
      kept.delete(question);
      kept.set(question, { ...edited, key });
      for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
      return { key, changes: edited.changes };
    },
    take(question, key) {
      const edited = kept.get(question);
      if (edited?.key !== key) {
        throw new RequestError(409, "Cannot approve these changes: they are not the latest ones of this question");
      }
      kept.delete(question);
      return { params: edited.params, changes: edited.changes };
    },
  };
}
