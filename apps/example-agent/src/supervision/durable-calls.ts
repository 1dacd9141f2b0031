import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { createDurable, type DurableSession, type OpenWait } from "@dispatch/durable";
import { openSqliteEngine } from "@dispatch/durable/sqlite";
import { createApprovalDesk, type ApprovalDesk, type WaitingApproval } from "@dispatch/policy/approvals";
import type { Approver as CallApprover } from "@dispatch/tools-interface";

/** The questions for a person. */
interface Waiting {
  readonly approvals: readonly WaitingApproval[];
  /** Calls whose process died after they began, so that nobody knows their effects. */
  readonly unknown: readonly OpenWait[];
}

/** Calls that outlive the process, with the questions about them. */
export interface DurableCalls {
  readonly session: DurableSession;
  readonly desk: Pick<ApprovalDesk, "answer">;
  /** The questions that nobody is asked at present. */
  waiting(): Promise<Waiting>;
  /** Records the outcome of a call whose outcome is unknown. False if somebody has recorded it. */
  settle(key: string, happened: boolean): Promise<boolean>;
  /** Puts each question on the desk, and asks the person who is there at the same time. */
  approverFrom(ask: CallApprover, by: string): CallApprover;
  close(): Promise<void>;
}

/** Opens a directory that keeps calls. */
export async function openDurableCalls(directory: string, sessionId: string | undefined): Promise<DurableCalls> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const durable = createDurable(await openSqliteEngine(path.join(directory, "calls.db")));
  const desk = createApprovalDesk({ engine: durable.engine });
  const session = durable.session(sessionId ?? randomUUID());
  /** Calls about which somebody is asked now, by id. */
  const asked = new Map<string, number>();
  const count = (callId: string, change: number): void => void asked.set(callId, (asked.get(callId) ?? 0) + change);
  const counted =
    (ask: CallApprover): CallApprover =>
    async (request) => {
      count(request.callId, 1);
      try {
        return await ask(request);
      } finally {
        count(request.callId, -1);
      }
    };
  const isAsked = (one: WaitingApproval): boolean => one.session === session.name && (asked.get(one.callId) ?? 0) > 0;
  return {
    session,
    desk,
    async waiting() {
      const [approvals, { waits }] = await Promise.all([desk.waiting(), durable.open()]);
      return {
        approvals: approvals.filter((one) => !isAsked(one)),
        unknown: waits.filter(({ kind }) => kind === "unknown"),
      };
    },
    settle: (key, happened) => durable.answer(key, { happened }),
    approverFrom: (ask, askedBy) => desk.approver({ session: session.name, ask: counted(pendingLater(ask)), askedBy }),
    close: () => durable.close(),
  };
}

/** Somebody who leaves a question for later has not answered it: it stays on the desk. */
function pendingLater(ask: CallApprover): CallApprover {
  return async (request) => {
    const answer = await ask(request);
    const isLater = typeof answer === "object" && "later" in answer && answer.later === true;
    return isLater ? { approved: false, pending: true } : answer;
  };
}
