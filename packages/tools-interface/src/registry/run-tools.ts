import { nextTurn } from "../call/calls-in-flight.ts";
import { DISPATCH_OPTIONS } from "../call/host-options.ts";
import type { ToolCall } from "../call/parse-call.ts";
import { checkOptions, type OptionNames } from "../error/check-options.ts";
import type { ToolResult } from "../result/tool-result.ts";
import type { DispatchAllOptions } from "./registry-options.ts";
import type { AnyToolRegistry } from "./tool-registry.ts";

/** How a model's answer ended: `complete`, `paused` (it goes on when asked again), at its greatest `length`, or `stopped`. */
export type AnswerEnd = "complete" | "paused" | "length" | "stopped";

/** One answer of a model, as a loop sees it. */
export interface ModelTurn {
  /** The calls it asks for, in order. One that was cut off is marked `cutOff`. */
  readonly calls: readonly ToolCall[];
  /** How it ended. `stopped`: by a refusal, a filter, an error or a stream that broke off. Default `complete`. */
  readonly end?: AnswerEnd;
  /** How it ended, in the provider's words. */
  readonly reason?: string | undefined;
  /** Tokens of the request and the answer; `undefined` when the provider does not report them. */
  readonly tokens?: number | undefined;
}

/** Reads answers of one provider and keeps its conversation, as `anthropicTurns(messages, wire)` and its like do. */
export interface ModelTurns<Answer = unknown> {
  /** Reads the turn in an answer. */
  readonly read: (answer: Answer) => ModelTurn;
  /** Takes the answer and the results of its calls, none when it has no calls, into the conversation. */
  readonly add: (answer: Answer, calls: readonly ToolCall[], results: readonly ToolResult[]) => unknown;
}

/** The start of an agent's conversation. The same start makes a conversation that can be replayed. */
export interface AgentStart {
  /** Describes the agent and its way of working. */
  readonly instructions: string;
  /** Its task. */
  readonly task: string;
  /** The advertised tools. */
  readonly registry: AnyToolRegistry;
}

/**
 * One conversation with a model. `read` and `add` are those of a provider, as `anthropicTurns(messages, wire)` and its like
 * make them; an answer has to be JSON, so that it can be recorded.
 */
export interface AgentConversation<Answer = unknown> extends ModelTurns<Answer> {
  /** Asks the model with the conversation so far, for a whole answer. */
  readonly ask: (signal: AbortSignal) => Answer | Promise<Answer>;
  /** The text of an answer. */
  readonly text: (answer: Answer) => string;
  /** Adds a message of the user to the conversation. */
  readonly say: (text: string) => void;
}

/** A model that agents run on: any provider, through its own SDK. */
export interface AgentModel<Answer = unknown> {
  /** Begins a conversation. Sends nothing. */
  begin(start: AgentStart): AgentConversation<Answer>;
}

/**
 * Whether a tool asked the loop to end after this turn, with `metadata: { stopLoop: true }`. A failure can ask too.
 *
 * @param results - The results of one turn.
 *
 * @example
 * ```ts
 * const results = await registry.dispatchAll(calls, { context, transcript });
 * const isDone = shouldStop(results);
 * ```
 */
export function shouldStop(results: readonly Pick<ToolResult, "metadata">[]): boolean {
  return results.some(({ metadata }) => metadata.stopLoop === true);
}

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

const OPTIONS: OptionNames<ToolLoop<unknown> & DispatchAllOptions> = {
  ...DISPATCH_OPTIONS,
  ask: true,
  read: true,
  add: true,
  onTurn: true,
  onAnswer: true,
  maxTurns: true,
  maxTokens: true,
  maxCutOffs: true,
};

/**
 * Asks a model and runs the calls it asks for, until it asks for none, a tool's result says `stopLoop`, an answer ends
 * early, the signal aborts, or a limit is reached. The complete calls of an answer that ends early run.
 *
 * @throws {RangeError} When a limit is no number from 0.
 * @throws Errors of `ask`, `read`, `add` and the listeners, unless the signal has aborted.
 *
 * @example
 * ```ts
 * const run = await runTools(registry, {
 *   ...anthropicTurns(messages, wire),
 *   ask: (signal) => client.messages.create({ model, max_tokens, messages, tools: wire.tools }, { signal }),
 *   context: { worktreePath },
 * });
 * ```
 */
export async function runTools<Registry extends AnyToolRegistry, Answer>(
  registry: Registry,
  options: ToolLoop<Answer> & NonNullable<DispatchArguments<Registry>[0]>,
): Promise<LoopRun<Answer>> {
  const { ask, read, add, onTurn, onAnswer, maxTurns = 50, maxTokens = Infinity, maxCutOffs = 0, ...rest } = options;
  const given = rest as DispatchAllOptions;
  checkOptions("run tools", options as ToolLoop<Answer> & DispatchAllOptions, OPTIONS);
  for (const [name, limit] of Object.entries({ maxTurns, maxTokens, maxCutOffs })) {
    if (typeof limit === "number" && limit >= 0) continue;
    // Every comparison with it would be false, and nothing would end the loop.
    throw new RangeError(`Cannot run tools: ${name} is ${String(limit)}, allowed are numbers from 0`);
  }
  const signal = given.signal ?? new AbortController().signal;
  let [turns, tokens, cutOffs] = [0, 0, 0];
  let answer: Answer | undefined;
  let results: readonly ToolResult[] = [];
  const ended = (end: LoopEnd, reason?: string): LoopRun<Answer> => ({ end, reason, turns, tokens, answer, results });

  for (;;) {
    await nextTurn();
    if (turns >= maxTurns) return ended("max_turns");
    if (signal.aborted) return ended("cancelled");
    if (tokens >= maxTokens) return ended("max_tokens");
    onTurn?.(turns);
    try {
      answer = await ask(signal);
    } catch (error) {
      if (signal.aborted) return ended("cancelled");
      throw error;
    }
    await onAnswer?.(answer);
    const turn = read(answer);
    turns += 1;
    tokens += turn.tokens ?? 0;
    results = turn.calls.length === 0 ? [] : await registry.dispatchAll(turn.calls, given);
    await add(answer, turn.calls, results);
    cutOffs = turn.end === "length" ? cutOffs + 1 : 0;
    if (signal.aborted) return ended("cancelled");
    if (shouldStop(results)) return ended("stop_loop");
    if (turn.end === "stopped") return ended("stopped", turn.reason);
    if (turn.end === "length" && (results.length === 0 || cutOffs > maxCutOffs)) return ended("cut_off", turn.reason);
    if (results.length === 0 && turn.end !== "paused") return ended("done");
  }
}

/** The options that a registry's `dispatchAll` takes: required when one of its tools needs context. */
export type DispatchArguments<Registry extends AnyToolRegistry> = Registry["dispatchAll"] extends (
  calls: never,
  ...options: infer Options
) => unknown
  ? Options
  : never;
