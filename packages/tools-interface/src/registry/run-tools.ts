import { DISPATCH_OPTIONS } from "../call/host-options.ts";
import { checkOptions, type OptionNames } from "../error/check-options.ts";
import { shouldStop } from "../result/should-stop.ts";
import type { ToolResult } from "../result/tool-result.ts";
import type { DispatchArguments } from "./dispatch-arguments.ts";
import type { DispatchAllOptions } from "./dispatch-options.ts";
import type { LoopEnd, LoopRun, ToolLoop } from "./tool-loop.ts";
import type { AnyToolRegistry } from "./tool-registry.ts";

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
  const signal = given.signal ?? new AbortController().signal;
  let [turns, tokens, cutOffs] = [0, 0, 0];
  let answer: Answer | undefined;
  let results: readonly ToolResult[] = [];
  const ended = (end: LoopEnd, reason?: string): LoopRun<Answer> => ({ end, reason, turns, tokens, answer, results });

  while (turns < maxTurns) {
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
  return ended("max_turns");
}
