import { cleanText } from "@dispatch/tools-interface/display";
import { compileCheck, Semaphore } from "@dispatch/tools-interface/internal";
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";

/** A yes-or-no question about something the agent wants to do. */
export interface McpPrompt {
  /** The question. */
  readonly text: string;
  /** Everything that is being approved, line by line. */
  readonly detail: readonly string[];
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/** The user's answer to a prompt. */
export interface McpDecision {
  /** Whether they agreed. Only an explicit yes is one. */
  readonly approved: boolean;
  /** Why not. The model reads it. */
  readonly reason?: string;
  /** Neither yes nor no: they closed the form. */
  readonly later?: boolean;
}

/** One of the answers offered to a question. */
export interface McpChoice {
  /** Text of the choice. */
  readonly label: string;
  /** The consequence of choosing it. */
  readonly description?: string;
}

/** A question of the agent to its user. An answer approves nothing. */
export interface McpQuestion {
  /** The question. */
  readonly text: string;
  /** Answers to choose from; none: any text is an answer. The user may always answer something else. */
  readonly choices: readonly McpChoice[];
  /** Whether several choices may be taken together. */
  readonly several: boolean;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/** A form of a tool's own. An answer approves nothing. */
export interface McpForm {
  /** The question. */
  readonly text: string;
  /**
   * The fields: a flat object of texts, numbers, booleans and choices, as MCP's `elicitation/create` takes them. Never ask for a secret. Read a
   * field only where `accept` answered it: a client may leave out those that are not required.
   */
  readonly fields: ElicitRequestFormParams["requestedSchema"];
  /** Names the question to clients of 2026-07-28, such as `confirm`. Default: a name is made. */
  readonly key?: string;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/** The user's answer to a form of a tool's own: one whose content does not fit the fields is a `cancel`. */
export type McpFormAnswer =
  | { readonly action: "accept"; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: "decline" | "cancel" };

/** The person at the client, who is asked by forms (elicitation), one at a time. All reject where asking fails. */
export interface McpUser {
  /** Asks for approval of exactly the shown call. */
  decide(prompt: McpPrompt): Promise<McpDecision>;
  /** Puts a question. Answers labels of choices and their own words; empty: they did not want to answer. */
  answer(question: McpQuestion): Promise<readonly string[]>;
  /**
   * Shows a form of a tool's own.
   *
   * @throws {InvalidToolError} When its fields are no JSON Schema.
   */
  showForm(form: McpForm): Promise<McpFormAnswer>;
}

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
 * @param key - Names the question, where the protocol names questions.
 */
export type Elicit = (form: Form, signal: AbortSignal, key?: string) => Promise<FormAnswer>;

/** Characters of a reason or an answer that are passed on. */
const MAX_ANSWER_CHARS = 10_000;

/**
 * Approval in MCP: asks the client's user by MCP elicitation, one form at a time. The form shows everything that is being
 * approved, and only an explicit yes approves.
 */
export function createElicitationApprover(elicit: Elicit): McpUser {
  const oneAtATime = new Semaphore(1);
  const ask = (form: Form, signal: AbortSignal, key?: string): Promise<FormAnswer> =>
    oneAtATime.run(async () => (signal.aborted ? { action: "cancel" } : elicit(form, signal, key)));
  return {
    decide: async (prompt) => decisionOf(await ask(approvalForm(prompt), prompt.signal)),
    answer: async (question) => answerOf(await ask(questionForm(question), question.signal), question),
    async showForm({ text, fields, key, signal }) {
      const check = compileCheck(fields, "fields of a form");
      const { action, content } = await ask({ message: cleanText(text), requestedSchema: fields }, signal, key);
      if (action !== "accept") return { action: action === "decline" ? "decline" : "cancel" };
      const known = Object.entries(content ?? {}).filter(([name]) => Object.hasOwn(fields.properties, name));
      const filled = Object.fromEntries(known);
      return (await check(filled)).issues === undefined ? { action, content: filled } : { action: "cancel" };
    },
  };
}

function approvalForm({ text, detail }: McpPrompt): Form {
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

function decisionOf({ action, content }: FormAnswer): McpDecision {
  if (action === "cancel") return { approved: false, later: true, reason: "the person has not decided" };
  if (action === "accept" && content?.["approve"] === true) return { approved: true };
  return { approved: false, reason: textIn(content?.["reason"]) || "the person said no" };
}

/** Choices and a field for anything else; several choices are a list. */
function questionForm({ text, choices, several }: McpQuestion): Form {
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

function answerOf({ action, content }: FormAnswer, { choices }: McpQuestion): readonly string[] {
  if (action !== "accept") return [];
  const labels = labelsOf(choices);
  const taken = new Set([content?.["choices"] ?? content?.["choice"]].flat());
  const other = textIn(content?.["other"]);
  return [...labels.filter((label) => taken.has(label)), ...(other === "" ? [] : [other])];
}

function labelsOf(choices: readonly McpChoice[]): string[] {
  return [...new Set(choices.map(({ label }) => label))];
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value.trim().slice(0, MAX_ANSWER_CHARS) : "";
}
