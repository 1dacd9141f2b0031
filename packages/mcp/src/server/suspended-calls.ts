import { randomUUID } from "node:crypto";
import {
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
} from "@modelcontextprotocol/server";
import type { Elicit, Form, FormAnswer } from "./elicitation-approver.ts";
import type { TellProgress } from "./progress-reporter.ts";

/** The parts of a request for the call it begins or continues. */
export interface Round {
  /** The `params` that say which call it is, as text. */
  readonly call: string;
  /** The state that the last answer asked to be sent back. `undefined`: the call begins. */
  readonly state: string | undefined;
  /** Unchecked. */
  readonly responses: Record<string, unknown> | undefined;
  /** Aborts when nobody waits for this request's answer any more. */
  readonly signal: AbortSignal;
  readonly tell: TellProgress;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** A call's access to its client. */
export interface CallerSide extends Pick<Round, "signal" | "tell" | "meta"> {
  readonly elicit: Elicit;
  /** The call's id, where it has to be the same for the next process. */
  readonly callId?: string;
  /** Whether an earlier process began the call: then it waits for its turn. */
  readonly isResumed?: boolean;
  /** How long a person may take to decide, in milliseconds. */
  readonly patienceMs?: number;
}

/** Does the call; it may ask on its way. */
export type Work = (caller: CallerSide) => Promise<CallToolResult>;

/** How long an answer is waited for, in milliseconds: as long as an approval. */
const ANSWER_TIMEOUT_MS = 600_000;
const ANSWER = "answer";

/** A question for a person, and the receiver of its answer. */
interface Question {
  readonly key: string;
  readonly form: Form;
  readonly resolve: (answer: FormAnswer) => void;
}

/** A question that a client was asked to answer later. */
interface Waiting {
  readonly suspended: Suspended;
  /** The one that was sent: by now the call may ask something else. */
  readonly question: Question;
  readonly lapse: NodeJS.Timeout;
}

/** A call that goes on where it was once its question is answered. */
interface Suspended {
  readonly call: string;
  readonly control: AbortController;
  readonly done: Promise<CallToolResult>;
  question: Question | undefined;
  /** Reports to the request that is open, if one is. */
  tell: TellProgress | undefined;
  /** Resolves the wait for the next question. */
  wake: () => void;
}

/**
 * Calls that ask a person, for revision 2026-07-28: there a server cannot ask, it answers "input required", and the
 * client repeats its request with the answers. The call is not begun anew then: a program may be half way through.
 */
export class SuspendedCalls {
  readonly #waiting = new Map<string, Waiting>();
  readonly #answerTimeoutMs: number;

  constructor(answerTimeoutMs = ANSWER_TIMEOUT_MS) {
    this.#answerTimeoutMs = answerTimeoutMs;
  }

  /**
   * Begins a call or goes on with it, to its result or its next question.
   *
   * @throws {ProtocolError} When no call waits with the given state.
   */
  async round(round: Round, work: Work): Promise<CallToolResult | InputRequiredResult> {
    if (round.state === undefined) return this.#next(begin(round, work), round);
    const { suspended, question } = this.#take(round.state, round.call) ?? refuseState();
    const view = inputResponse(round.responses, question.key);
    question.resolve(view.kind === "elicit" ? view : { action: "cancel" });
    if (suspended.question === question) suspended.question = undefined;
    return this.#next(suspended, round);
  }

  close(): void {
    for (const state of this.#waiting.keys()) this.#giveUp(state, "the server ends");
  }

  #giveUp(state: string, why: string): void {
    const found = this.#waiting.get(state);
    this.#waiting.delete(state);
    clearTimeout(found?.lapse);
    found?.suspended.control.abort(new Error(why));
  }

  /** A state is good for one answer to the call it was given for. */
  #take(state: string, call: string): Waiting | undefined {
    const found = this.#waiting.get(state);
    if (found === undefined || found.suspended.call !== call) return undefined;
    this.#waiting.delete(state);
    clearTimeout(found.lapse);
    return found;
  }

  async #next(suspended: Suspended, { signal, tell }: Round): Promise<CallToolResult | InputRequiredResult> {
    suspended.tell = tell;
    const stop = (): void => suspended.control.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    const asked = new Promise<undefined>((resolve) => {
      suspended.wake = () => resolve(undefined);
      if (suspended.question !== undefined) resolve(undefined);
    });
    try {
      const result = await Promise.race([suspended.done, asked]);
      return result ?? this.#suspend(suspended);
    } finally {
      suspended.tell = undefined;
      signal.removeEventListener("abort", stop);
    }
  }

  #suspend(suspended: Suspended): InputRequiredResult | Promise<CallToolResult> {
    const { question, done } = suspended;
    if (question === undefined) return done;
    const state = randomUUID();
    const lapse = setTimeout(() => this.#giveUp(state, "nobody answered in time"), this.#answerTimeoutMs).unref();
    this.#waiting.set(state, { suspended, question, lapse });
    const asked = inputRequired.elicit({ ...question.form, mode: "form" });
    return inputRequired({ inputRequests: { [question.key]: asked }, requestState: state });
  }
}

function begin({ call, meta }: Round, work: Work): Suspended {
  const control = new AbortController();
  const elicit: Elicit = (form, signal, key = ANSWER) =>
    new Promise((resolve) => {
      suspended.question = { key, form, resolve };
      signal.addEventListener("abort", () => resolve({ action: "cancel" }), { once: true });
      suspended.wake();
    });
  const suspended: Suspended = {
    call,
    control,
    // The person behind `elicit` asks one thing at a time, so there is one question at most.
    done: Promise.resolve().then(() => {
      const tell: TellProgress = (...report) => suspended.tell?.(...report);
      return work({ elicit, signal: control.signal, tell, meta });
    }),
    question: undefined,
    tell: undefined,
    wake: () => {},
  };
  suspended.done.catch(() => {});
  return suspended;
}

/** The same for a forged state and one that has lapsed. */
function refuseState(): never {
  const why = "Cannot go on with this call: it is not waiting for this answer, it may have lapsed. Call the tool anew";
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, why);
}
