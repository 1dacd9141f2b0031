import { cleanText } from "@dispatch/tools-interface/display";
import type { Answer, Decision, Approver } from "../supervision/approver.ts";
import type { EditableCall } from "../supervision/editable-call.ts";
import { AnsweredElsewhereError } from "../supervision/race-approvers.ts";
import type { StandingOffer } from "../supervision/standing-answers.ts";
import type { QuestionEntry, ApprovalEntry } from "./entry.ts";
import type { Feed } from "./feed.ts";
import type { Recorder } from "./recorder.ts";

/** A decision as the page sends it. */
interface PageDecision extends Omit<Decision, "always"> {
  /** The key of an offered answer for calls to come. */
  readonly always?: string | undefined;
}

/** Questions on the page, and their answers. */
export interface PageApprover {
  /** The person who looks at the page, whenever they come. */
  readonly approver: Approver & Required<Pick<Approver, "answer">>;
  /** Answers an open question; false when it is not open any more. */
  decide(id: string, decision: PageDecision): boolean;
  /** The call of an open question, if its arguments may be changed. */
  editable(id: string): EditableCall | undefined;
  /** Answers an open question of the agent's own; false when it is not open any more. */
  answer(id: string, answer: Answer): boolean;
  /** The open question about a proposed change of memory. */
  about(mutationId: string): string | undefined;
}

const HERE = "on the page";
/** Rows of changes that are sent. */
const MAX_ROWS = 400;

/** Questions that pages show. They wait until they are answered or their signal aborts. */
export function createPageApprover(feed: Feed, recorder: Recorder): PageApprover {
  const decisions = new Map<string, (decision: PageDecision) => void>();
  const answers = new Map<string, (answer: Answer) => void>();
  const mutations = new Map<string, string>();
  const editables = new Map<string, EditableCall>();

  const closeApproval = (id: string, decision: Decision | undefined, where: string): void => {
    const { approved = false, later = false, reason, edited } = decision ?? {};
    const changes = edited && { changes: firstRows(edited.changes) };
    const state = decision === undefined ? "gone" : approved ? "approved" : later ? "later" : "refused";
    feed.change("approval", id, (entry): ApprovalEntry => {
      return { ...entry, state, where, ...changes, ...(reason === undefined ? {} : { reason }) };
    });
    const entry = feed.get(id);
    if (entry?.kind !== "approval" || entry.call === undefined) return;
    feed.change("call", entry.call, (call) => (call.state === "waiting" ? { ...call, state: "running" } : call));
  };
  const closeQuestion = (id: string, answer: Answer | undefined, where: string): void => {
    feed.change("question", id, (entry): QuestionEntry => {
      return answer === undefined ? { ...entry, state: "gone" } : { ...entry, state: "answered", where, answer };
    });
  };
  return {
    about: (mutationId) => mutations.get(mutationId),
    editable: (id) => editables.get(id),
    decide: (id, decision) => settle(decisions, id, decision),
    answer: (id, answer) => settle(answers, id, answer),
    approver: {
      name: "you",
      where: HERE,
      async decide({ text, detail, callId, mutationId, always = [], edit, signal }) {
        const id = feed.nextId();
        const call = callId === undefined ? undefined : recorder.entryOf(callId);
        const rows = detail.map(cleanText);
        feed.put({
          kind: "approval",
          id,
          at: Date.now(),
          text,
          detail: rows,
          always: always.map(({ key, label }) => ({ key, label })),
          ...(edit === undefined ? {} : { editable: true }),
          call,
          mutation: mutationId,
          state: "open",
        });
        if (call !== undefined) feed.change("call", call, (entry) => ({ ...entry, state: "waiting" }));
        if (mutationId !== undefined) mutations.set(mutationId, id);
        if (edit !== undefined) editables.set(id, edit);
        const given = await answered(decisions, id, signal);
        editables.delete(id);
        const decision = given && decisionOf(given, always);
        if (mutationId !== undefined) mutations.delete(mutationId);
        const elsewhere = elsewhereOf(signal);
        closeApproval(id, decision ?? (elsewhere?.answer as Decision | undefined), elsewhere?.where ?? HERE);
        return decision ?? { approved: false, later: true, reason: "the person has not decided" };
      },
      async answer({ text, choices, several, signal }) {
        const id = feed.nextId();
        feed.put({ kind: "question", id, at: Date.now(), text, choices, several, state: "open" });
        const answer = await answered(answers, id, signal);
        const elsewhere = elsewhereOf(signal);
        closeQuestion(id, answer ?? (elsewhere?.answer as Answer | undefined), elsewhere?.where ?? HERE);
        return answer ?? [];
      },
    },
  };
}

/** Rows that say how many others there are. */
function firstRows(rows: readonly string[]): readonly string[] {
  const left = rows.length - MAX_ROWS;
  return left > 0 ? [...rows.slice(0, MAX_ROWS), `@@ ${left} more rows`] : rows;
}

/** A decision with the answer for calls to come that was chosen. A key that was not offered chooses none. */
function decisionOf({ always: chosen, ...decision }: PageDecision, offers: readonly StandingOffer[]): Decision {
  const always = offers.find(({ key }) => key === chosen);
  return always === undefined ? decision : { ...decision, always };
}

/** The question; `undefined` once nobody waits for its answer any more. */
function answered<Said>(
  open: Map<string, (said: Said) => void>,
  id: string,
  signal: AbortSignal,
): Promise<Said | undefined> {
  return new Promise((resolve) => {
    const stop = (): void => {
      open.delete(id);
      resolve(undefined);
    };
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    open.set(id, (said) => {
      signal.removeEventListener("abort", stop);
      resolve(said);
    });
  });
}

function settle<Said>(open: Map<string, (said: Said) => void>, id: string, said: Said): boolean {
  const resolve = open.get(id);
  open.delete(id);
  resolve?.(said);
  return resolve !== undefined;
}

function elsewhereOf({ aborted, reason }: AbortSignal): AnsweredElsewhereError | undefined {
  return aborted && reason instanceof AnsweredElsewhereError ? reason : undefined;
}
