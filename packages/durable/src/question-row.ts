import type { JsonValue } from "@dispatch/tools-interface";
import type { QuestionState } from "./await-answer.ts";
import { fromColumn } from "./column-text.ts";
import type { OpenWait } from "./durable-engine.ts";

/** A row of the table of questions. SQLite writes booleans as 0 and 1, PostgreSQL's driver gives large integers as text. */
type QuestionRow = Readonly<Record<string, unknown>>;

/** The state of the question in a row. */
export function toQuestionState({ answer, lapsed, expires_at: expires }: QuestionRow): QuestionState {
  const expiresAt = expires === null ? undefined : Number(expires);
  if (typeof answer === "string") return { expiresAt, answered: { lapsed: false, answer: JSON.parse(answer) } };
  return { expiresAt, answered: lapsed === 1 || lapsed === true ? { lapsed: true } : undefined };
}

/** The question in a row that has no outcome. */
export function toOpenWait({ key, kind, question, since, expires_at: expires }: QuestionRow): OpenWait {
  const asked = {
    key: fromColumn(String(key)),
    kind: fromColumn(String(kind)),
    question: JSON.parse(String(question)) as JsonValue,
  };
  return { ...asked, since: Number(since), ...(expires !== null && { expiresAt: Number(expires) }) };
}
