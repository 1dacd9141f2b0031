import type { ToolResult } from "../result/tool-result.ts";
import type { ModelTurns } from "./model-turn.ts";

/** Options of `runTools`, beside those of `dispatchAll`. */
export interface ToolLoop<Answer> extends ModelTurns<Answer> {
  /** Asks the model with the conversation so far, for a whole answer. May stream: it answers when the stream is over. */
  readonly ask: (signal: AbortSignal) => Answer | Promise<Answer>;
  /** How often the model is asked. Default 50. */
  readonly maxTurns?: number;
  /** Tokens of all answers, requests included, after which the model is not asked again. Default: no limit. */
  readonly maxTokens?: number;
  /**
   * How many answers in a row may end at their greatest length in a call before the loop ends. The model reads that the
   * call was not executed, and may send it again. Default 0: the loop ends at the first.
   */
  readonly maxCutOffs?: number;
  /** Called before each request to the model, counted from 0. Throw to end the loop. */
  readonly onTurn?: (turn: number) => unknown;
  /**
   * Called with each answer before its calls run, and awaited: to store data that must survive if the process ends in a
   * call.
   */
  readonly onAnswer?: (answer: Answer) => unknown;
}

/**
 * Why a loop ended: `done`, the model asked for no calls; `stop_loop`, a tool asked for the end; `max_turns` and
 * `max_tokens`; `cut_off`, an answer reached its greatest length; `stopped`, it ended early for another `reason`;
 * `cancelled`, the signal aborted.
 */
export type LoopEnd = "done" | "stop_loop" | "max_turns" | "max_tokens" | "cut_off" | "stopped" | "cancelled";

/** How a loop ended. The conversation is sound: every call in it has its result. */
export interface LoopRun<Answer> {
  /** Why. */
  readonly end: LoopEnd;
  /** Why the last answer ended early, in the provider's words. Only with `cut_off` and `stopped`. */
  readonly reason: string | undefined;
  /** How many answers there were. */
  readonly turns: number;
  /** Tokens of all of them. */
  readonly tokens: number;
  /** The last answer, if there was one. */
  readonly answer: Answer | undefined;
  /** The results of the last answer's calls. */
  readonly results: readonly ToolResult[];
}
