import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import type { Answer, Choice, Decision, UserQuestion, Approver, ApprovalPrompt } from "../supervision/approver.ts";
import { createMutex } from "../supervision/mutex.ts";
import { cleanText } from "../text/clean-text.ts";

/** A form that the client shows to its user. */
export type Form = Pick<ElicitRequestFormParams, "message" | "requestedSchema">;

/** The user's reaction to a form. Unchecked: a client may send anything. */
export interface FormAnswer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Shows a form (MCP `elicitation/create`) and returns the user's reaction. Rejects when nobody can be asked.
 *
 * @param signal - Aborts when the answer is no longer needed.
 */
export type Elicit = (form: Form, signal: AbortSignal) => Promise<FormAnswer>;

/** Characters of a reason or an answer that are passed on. */
const MAX_ANSWER_CHARS = 10_000;

/**
 * Approval in MCP: asks the client's user by MCP elicitation, one form at a time. The form shows everything that is being
 * approved, and only an explicit yes approves.
 */
export function createElicitationApprover(elicit: Elicit): Approver {
  const oneAtATime = createMutex();
  const ask = (form: Form, signal: AbortSignal): Promise<FormAnswer> =>
    oneAtATime(async () => (signal.aborted ? { action: "cancel" } : elicit(form, signal)));
  return {
    name: "the client's person",
    decide: async (prompt) => decisionOf(await ask(approvalForm(prompt), prompt.signal)),
    answer: async (question) => answerOf(await ask(questionForm(question), question.signal), question),
  };
}

function approvalForm({ text, detail }: ApprovalPrompt): Form {
  return {
    message: [text, ...(detail.length > 0 ? ["", ...detail] : [])].map(cleanText).join("\n"),
    requestedSchema: {
      type: "object",
      properties: {
        approve: { type: "boolean", title: "Approve", description: "Let the agent do exactly this", default: false },
        reason: {
          type: "string",
          title: "Why not",
          description: "Optional; the agent reads it",
          maxLength: MAX_ANSWER_CHARS,
        },
      },
      required: ["approve"],
    },
  };
}

function decisionOf({ action, content }: FormAnswer): Decision {
  if (action === "cancel") return { approved: false, later: true, reason: "the person has not decided" };
  if (action === "accept" && content?.["approve"] === true) return { approved: true };
  return { approved: false, reason: textIn(content?.["reason"]) || "the person said no" };
}

/** Choices and a field for anything else; several choices are a list. */
function questionForm({ text, choices, several }: UserQuestion): Form {
  const labels = labelsOf(choices);
  const about = choices.flatMap(({ label, description = "" }) =>
    description === "" ? [] : `${label}: ${description}`,
  );
  const own = {
    type: "string",
    title: labels.length > 0 ? "Or in your own words" : "Answer",
    maxLength: MAX_ANSWER_CHARS,
  } as const;
  const choice = several
    ? { choices: { type: "array", title: "Choices", items: { type: "string", enum: labels } } as const }
    : { choice: { type: "string", title: "Choice", enum: labels } as const };
  return {
    message: [text, ...(about.length > 0 ? ["", ...about] : [])].map(cleanText).join("\n"),
    requestedSchema: { type: "object", properties: { ...(labels.length > 0 ? choice : {}), other: own } },
  };
}

function answerOf({ action, content }: FormAnswer, { choices }: UserQuestion): Answer {
  if (action !== "accept") return [];
  const labels = labelsOf(choices);
  const taken = new Set([content?.["choices"] ?? content?.["choice"]].flat());
  const other = textIn(content?.["other"]);
  return [...labels.filter((label) => taken.has(label)), ...(other === "" ? [] : [other])];
}

function labelsOf(choices: readonly Choice[]): string[] {
  return [...new Set(choices.map(({ label }) => label))];
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value.trim().slice(0, MAX_ANSWER_CHARS) : "";
}
