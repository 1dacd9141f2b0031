import { createMemoryEngine, type DurableEngine, type OpenWait } from "@dispatch/durable";
import {
  type ApprovalDecision,
  type ApprovalRequest,
  type Approver,
  ToolError,
  type JsonValue,
  type AnyToolRegistry,
} from "@dispatch/tools-interface";
import { showArguments } from "@dispatch/tools-interface/display";
import {
  checkOptions,
  canonicalText,
  isJsonObject,
  joinSignals,
  jsonOrReason,
  jsonSnapshot,
  type OptionNames,
  sha256,
} from "@dispatch/tools-interface/internal";

/** Options of {@link createApprovalDesk}. */
export interface ApprovalDeskOptions {
  /** Where questions and answers are kept. Default: in the memory of this process. */
  readonly engine?: Pick<DurableEngine, "wait" | "signal" | "list" | "run">;
  /** How long a question stays open, in milliseconds. Default seven days. */
  readonly expiresInMs?: number;
  /** Checks edited parameters when they are given. Default: they are checked when the call runs. */
  readonly registry?: AnyToolRegistry;
}

/** How one approver of a desk asks. */
export interface DeskApproverOptions {
  /** The conversation. The same call in another one is another question. */
  readonly session: string;
  /** The agent. The same call of another one is another question. Default `agent`. */
  readonly agent?: string;
  /**
   * How long the call waits for an answer, in milliseconds; then it ends as `approval_pending`, and the question stays open.
   * Default 0.
   */
  readonly patienceMs?: number;
  /** Somebody who is there, such as a terminal or the client's user: asked at the same time as everybody else. */
  readonly ask?: Approver;
  /** Who and where that is. Default `somebody present`. */
  readonly askedBy?: string;
}

/** An answer to a waiting approval. */
export interface DeskAnswer {
  /** Whether the call may run. */
  readonly approved: boolean;
  /** Who answers, in the host's words. */
  readonly by: string;
  /** Why not. The model reads it. */
  readonly reason?: string;
  /** With a yes: parameters to run with instead of those that were shown. */
  readonly params?: unknown;
}

/** Approvals that anybody may answer, from anywhere. Made by {@link createApprovalDesk}. */
export interface ApprovalDesk {
  /** An approver that puts each question on the desk, and returns the answer given there. */
  approver(options: DeskApproverOptions): Approver;
  /** The waiting questions, oldest first. */
  waiting(): Promise<readonly WaitingApproval[]>;
  /**
   * Answers. The first answer counts.
   *
   * @returns Whether this one was the first; `false` also when the question is unknown or has lapsed.
   * @throws {ToolError} Code `invalid_params` when edited parameters do not fit the tool.
   * @throws {TypeError} For a field that there is not, such as a misspelt one. The question stays open.
   */
  answer(key: string, answer: DeskAnswer): Promise<boolean>;
}

const ANSWER_FIELDS: OptionNames<DeskAnswer> = { approved: true, by: true, reason: true, params: true };
const APPROVER_OPTIONS: OptionNames<DeskApproverOptions> = {
  session: true,
  agent: true,
  patienceMs: true,
  ask: true,
  askedBy: true,
};
const DEFAULT_EXPIRES_IN_MS = 7 * 24 * 3_600_000;

/**
 * Creates a desk of approvals. The same question is asked once however often its call is dispatched, in any process;
 * its answer is used by one run of the call.
 *
 * @example
 * ```ts
 * const desk = createApprovalDesk({ engine: durable.engine, registry });
 * await registry.dispatch(call, { approve: desk.approver({ session }), durable: durable.session(session) }); // approval_pending
 * const [first] = await desk.waiting(); // days later, anywhere
 * await desk.answer(first.key, { approved: true, by: "Ada" });
 * await registry.dispatch(call, { approve: desk.approver({ session }), durable: durable.session(session) }); // runs
 * ```
 */
export function createApprovalDesk(options: ApprovalDeskOptions = {}): ApprovalDesk {
  checkOptions("create an approval desk", options, { engine: true, expiresInMs: true, registry: true });
  const { engine = createMemoryEngine(), expiresInMs = DEFAULT_EXPIRES_IN_MS, registry } = options;
  const waiting = async (): Promise<readonly WaitingApproval[]> =>
    (await engine.list()).waits.flatMap((wait) => fromWait(wait) ?? []);

  const answer: ApprovalDesk["answer"] = async (key, given) => {
    // An answer with a field that is not understood may mean something else than the call that it would let run.
    if (typeof given === "object") checkOptions("answer an approval", given, ANSWER_FIELDS);
    const { approved, by, reason, params } = given;
    const question = (await waiting()).find((one) => one.key === key);
    if (question === undefined || typeof by !== "string" || by === "") return false;
    const isEdited = approved === true && params !== undefined;
    if (isEdited && registry?.has(question.tool)) {
      const check = await registry.get(question.tool).validate(params);
      if (!check.success) throw new ToolError(check.error.message, { code: "invalid_params" });
    }
    return engine.signal(key, {
      approved: approved === true,
      by,
      at: Date.now(),
      ...(typeof reason === "string" && { reason }),
      ...(isEdited ? { params: jsonSnapshot(params) ?? null } : { defaults: jsonSnapshot(question.defaults) ?? [] }),
    });
  };

  const approver = (asking: DeskApproverOptions): Approver => {
    checkOptions("ask at an approval desk", asking, APPROVER_OPTIONS);
    const { session, agent = "agent", patienceMs = 0, ask, askedBy = "somebody present" } = asking;
    if (typeof session !== "string")
      throw new TypeError(
        "Cannot ask at an approval desk: session is no text, and conversations would share their answers",
      );
    return async (request) => {
      const of = sha256(canonicalText([session, agent, request.callDigest ?? request.digest]));
      for (let round = 1; ; round += 1) {
        const key = `approval:${of}:${round}`;
        const wait = {
          kind: APPROVAL,
          question: toQuestion(request, session, agent),
          expiresAt: Date.now() + expiresInMs,
        };
        let answered = await engine.wait(key, { ...wait, patienceMs: 0 });
        if (answered === undefined && (ask !== undefined || patienceMs > 0)) {
          const over = new AbortController();
          const signal = joinSignals(request.signal, over.signal) as AbortSignal;
          const put = (said: Omit<DeskAnswer, "by">): Promise<boolean> => answer(key, { ...said, by: askedBy });
          const present = ask && answerHere(ask, { ...request, signal }, put);
          const patience = { ...wait, patienceMs: ask === undefined ? patienceMs : Infinity, signal };
          try {
            answered = await Promise.race([engine.wait(key, patience), ...(present === undefined ? [] : [present])]);
            answered ??= await engine.wait(key, { ...wait, patienceMs: 0 });
          } finally {
            over.abort();
          }
        }
        if (answered === undefined) return { approved: false, pending: true, reason: "somebody has been asked" };
        // Answers are used once: of two runs of the same call one takes it, and the other asks again.
        const taken = await engine.run(`${key}:used`, {
          intent: { kind: "approval-used" },
          work: async () => ({ result: request.effectId }),
        });
        if (taken === request.effectId) return decisionOf(answered.lapsed ? undefined : answered.answer);
      }
    };
  };
  return { approver, waiting, answer };
}

/** Asks a person who is there, and puts their answer on the desk: the first answer counts. */
async function answerHere(
  ask: Approver,
  request: ApprovalRequest & { readonly signal: AbortSignal },
  put: (answer: Omit<DeskAnswer, "by">) => Promise<unknown>,
): Promise<undefined> {
  try {
    const said = await ask(request);
    const decision: Exclude<ApprovalDecision, boolean> =
      typeof said === "object" && said !== null ? said : { approved: said === true };
    const { pending, defaults: _shown, ...answered } = decision;
    if (!request.signal.aborted && !pending) await put(answered);
  } catch {
    // Somebody who cannot be asked has not answered: the question stays open.
  }
  return undefined;
}

function decisionOf(answer: JsonValue | undefined): ApprovalDecision {
  if (answer === undefined) return { approved: false, reason: "nobody answered in time" };
  if (!isJsonObject(answer)) return { approved: false, reason: "the answer cannot be read" };
  const { approved, reason, params, defaults } = answer;
  if (approved !== true) return { approved: false, ...(typeof reason === "string" && { reason }) };
  return { approved: true, ...(params === undefined ? { defaults: defaults as [] } : { params }) };
}

/** The kind of waits that are approvals. */
const APPROVAL = "approval";

/** The harm a call can do, as far as it is known. */
export interface ApprovalRisk {
  /** `high`: it may destroy something. `low`: it changes nothing. */
  readonly level: "low" | "medium" | "high";
  /** Reasons for caution, one short sentence each. */
  readonly reasons: readonly string[];
}

/** A call that waits for a person, as anybody who may answer is shown it. Plain data. */
export interface WaitingApproval {
  /** Identifies the question for `desk.answer`. */
  readonly key: string;
  /** The conversation that the host named. */
  readonly session: string;
  /** The agent that the host named. */
  readonly agent: string;
  /** Name of the tool. */
  readonly tool: string;
  /** Identifies the call. */
  readonly callId: string;
  /** Fingerprint of the tool. */
  readonly fingerprint: string;
  /** The calls around it, outermost first: agents, programs and other tools. */
  readonly parents: ApprovalRequest["parents"];
  /** The tool's parameters, as JSON; a text with the reason if JSON cannot hold them. */
  readonly params: unknown;
  /** The parameters line by line: texts as they will stand, edits as a diff. Safe to show. */
  readonly detail: readonly string[];
  /** The fields that the call left out, with their values. */
  readonly defaults: ApprovalRequest["defaults"];
  /** Repairs made to a damaged call. */
  readonly repairs: ApprovalRequest["repairs"];
  /** The tool's annotations. */
  readonly annotations: ApprovalRequest["annotations"];
  /** The part of the host's context that decides the effect. */
  readonly approvalContext?: unknown;
  /** The rules of a policy that ask. */
  readonly policy?: ApprovalRequest["policy"];
  /** How much harm it can do. */
  readonly risk: ApprovalRisk;
  /** When it was first asked, Unix time in milliseconds. */
  readonly since: number;
  /** When the question lapses, Unix time in milliseconds. */
  readonly expiresAt: number | undefined;
}

/** A request as data that is stored and shown. */
function toQuestion(request: ApprovalRequest, session: string, agent: string): JsonValue {
  const { name, callId, fingerprint, parents, params, defaults, repairs, annotations, approvalContext, policy } =
    request;
  const shown = jsonOrReason(params);
  const call = { session, agent, tool: name, callId, fingerprint, parents, params: shown, defaults, repairs };
  const about = { annotations, approvalContext, policy, detail: showArguments(shown), risk: riskOf(request) };
  return jsonOrReason({ ...call, ...about }) as JsonValue;
}

/** The approval that a wait stands for; `undefined` for any other wait. */
function fromWait({ key, kind, question, since, expiresAt }: OpenWait): WaitingApproval | undefined {
  if (kind !== APPROVAL || !isJsonObject(question)) return undefined;
  return { ...(question as unknown as Omit<WaitingApproval, "key">), key, since, expiresAt };
}

function riskOf({ annotations, repairs, parents, policy }: ApprovalRequest): ApprovalRisk {
  const { readOnly, destructive, idempotent, openWorld } = annotations;
  const reasons = [
    destructive && "it may overwrite or delete",
    !readOnly && !idempotent && "a second run would do it again",
    openWorld && "it reaches beyond this machine",
    parents.some(({ caller }) => caller === "program") && "a program makes the call",
    repairs.length > 0 && "the call was damaged and has been repaired",
    policy?.reason,
  ].filter((reason): reason is string => typeof reason === "string");
  const level = destructive ? "high" : readOnly ? "low" : "medium";
  return { level, reasons };
}
