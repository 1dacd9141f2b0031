import type { DispatchOptions, ToolCall, ToolResult } from "@dispatch/tools-interface";
import { runAgent, type AgentRun } from "../agent/agent-loop.ts";
import type { Model } from "../agent/model.ts";
import type { Session } from "../agent/session.ts";
import type { Toolbox } from "../agent/toolbox.ts";
import type { View } from "../terminal/view.ts";
import type { Person } from "./approver.ts";
import { createCallContext } from "./call-context.ts";
import { createApprover, reviewMemory, type Review } from "./review-memory.ts";
import { createInfluence } from "./trust-tracking.ts";

/** What an agent is made of. */
export interface AgentParts {
  readonly model: Model;
  readonly toolbox: Toolbox;
  /** Absolute path of the worktree. */
  readonly workspace: string;
  readonly session: Session;
  readonly person: Person;
  readonly view: View;
  /** Tokens of the whole session. */
  readonly maxTokens: number;
  /** Minutes of one task. */
  readonly maxMinutes: number;
}

/** How a person's own call is made. */
type OwnCallOptions = Pick<DispatchOptions, "signal" | "transcript" | "onEvent"> & { readonly person: Person };

/** A model with tools, a person and a conversation. */
export interface Agent extends AgentParts {
  /**
   * Does a task, or goes on with an unfinished one.
   *
   * @param task What the person says; `undefined` to go on.
   */
  run(task: string | undefined, signal: AbortSignal): Promise<AgentRun>;
  /** Puts all that waits in memory before the person, what was left for later too. Answers what the model should know. */
  review(signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Runs a call of a person's own, with the same tools and limits, outside of the conversation.
   *
   * @param options `person`: who made the call, and is asked what it needs. Nobody else is: a terminal may be waiting for
   *   something else to be typed.
   */
  dispatch(call: ToolCall, options: OwnCallOptions): Promise<ToolResult>;
  /** Says to the model what it should know, as soon as there is a place for it in the conversation. */
  tell(text: string): void;
}

/** Turns of one task. */
const MAX_TURNS = 50;
/** The longest a timer can wait, in milliseconds. */
const MAX_TIMER = 2 ** 31 - 1;

/** Puts an agent together. */
export function createAgent(parts: AgentParts): Agent {
  const { model, toolbox, workspace, session, person, view, maxTokens, maxMinutes } = parts;
  const influence = createInfluence(session.transcript.entries);
  const untold: string[] = [];
  let postponed = new Set<string>();
  const reviewNew = async (signal: AbortSignal): Promise<readonly string[]> => {
    const reviews = await reviewMemory(toolbox.steward, person, postponed, signal);
    for (const one of reviews) view.note(`${one.about} ${one.outcome} by ${person.name}`);
    return reviews.filter(({ outcome }) => outcome !== "left for later").map(tellModel);
  };
  return {
    ...parts,
    review(signal) {
      postponed = new Set();
      return reviewNew(signal);
    },
    dispatch(call, { person: asked, ...options }) {
      const approve = createApprover(asked, view.callerOf);
      const context = createCallContext(workspace, asked, influence);
      return toolbox.registry.dispatch(call, { ...options, context, approve });
    },
    tell: (text) => void untold.push(text),
    run(task, stop) {
      const texts = [...(task === undefined ? [] : [task]), ...untold.splice(0)];
      for (const text of texts) session.add({ role: "user", text });
      const late = new Error(`the ${maxMinutes} minutes allowed are over`);
      const time = new AbortController();
      const timer = setTimeout(() => time.abort(late), Math.min(maxMinutes * 60_000, MAX_TIMER));
      const signal = AbortSignal.any([stop, time.signal]);
      return runAgent({
        model,
        registry: toolbox.registry,
        context: createCallContext(workspace, person, influence),
        session,
        signal,
        approve: createApprover(person, view.callerOf),
        onEvent(event) {
          influence.hear(event);
          view.event(event);
        },
        onTurn: view.turn,
        onText: view.text,
        onNotice: view.notice,
        afterTools: async () => [...(await reviewNew(signal)), ...untold.splice(0)],
        maxTurns: MAX_TURNS,
        maxTokens,
      }).finally(() => {
        clearTimeout(timer);
        view.rest();
      });
    },
  };
}

function tellModel({ about, outcome }: Review): string {
  return `${outcome === "approved" ? "Approved" : "Rejected"}: ${about}`;
}
