import type { ToolResult } from "@dispatch/tools-interface";
import { checkOptions } from "@dispatch/tools-interface/internal";

/** A call as a scripted model makes it, in no provider's format. */
export interface ScriptedCall {
  /** Identifies the call among all calls of this model. */
  readonly id: string;
  /** The tool that is asked for. */
  readonly name: string;
  /** The parameters as the step gave them: an object, JSON text, or any value for a damaged call. */
  readonly arguments: unknown;
}

/** A model's answer: text, and calls. No calls means that it is done. */
export interface ScriptedTurn {
  /** Its text, perhaps empty. */
  readonly text: string;
  /** Its calls, in order. */
  readonly calls: readonly ScriptedCall[];
}

/** The model's view when a step answers. */
export interface ScriptedView<Message = unknown> {
  /** The conversation so far, as the loop gave it. */
  readonly messages: readonly Message[];
  /** The results of the calls of the turn before, empty when it made none. */
  readonly results: readonly ToolResult[];
  /** The advertised tools, as the loop gave them. */
  readonly tools: readonly unknown[];
  /** How many turns were answered before this one. */
  readonly turn: number;
}

/** A step's answer: a text, or text and calls. Calls without an id are given one. */
export type ScriptedAnswer =
  | string
  | { readonly text?: string; readonly calls?: readonly { id?: string; name: string; arguments?: unknown }[] };

/**
 * One turn: an answer, or a function that makes it from the model's view. An error, such as a failed expectation, is
 * thrown by `respond`.
 */
export type ScriptedStep<Message = unknown> =
  | ScriptedAnswer
  | ((view: ScriptedView<Message>) => ScriptedAnswer | Promise<ScriptedAnswer>);

/**
 * Steps that are made as the script goes on: it yields answers, receives the model's next view, and returns the last
 * answer.
 */
export type ScriptedDialogue<Message = unknown> = (
  first: ScriptedView<Message>,
) => Generator<ScriptedAnswer, ScriptedAnswer, ScriptedView<Message>>;

/** Options of {@link createScriptedModel}. */
export interface ScriptedModelOptions<Message = unknown> {
  /** The model's name, shown to people so that nobody takes it for a real one. Default `scripted`. */
  readonly name?: string;
  /**
   * Finds the results of the turn before in the conversation; with `undefined` a step is given none and their number is
   * not checked. Default: the `results` of the last message that has an array of them.
   */
  readonly resultsOf?: (messages: readonly Message[]) => readonly ToolResult[] | undefined;
}

/** A model that follows a script, for testing code that asks models. Made by {@link createScriptedModel}. */
export interface ScriptedModel<Message = unknown> {
  /** Its name. */
  readonly name: string;
  /** The answers so far. */
  readonly turns: readonly ScriptedTurn[];
  /**
   * Answers the conversation with the next step. Rejects when the script is at its end, when a step throws, when calls
   * of the turn before have no result, which real models refuse too, and with the signal's reason once it is aborted.
   */
  respond(messages: readonly Message[], tools?: readonly unknown[], signal?: AbortSignal): Promise<ScriptedTurn>;
  /** Throws when steps are left. A dialogue is at its end once it has returned. */
  assertDone(): void;
}

/**
 * A model without intelligence. It follows its script, and can react to the real results of real calls.
 *
 * @example
 * ```ts
 * const model = createScriptedModel([
 *   { text: "Let me look.", calls: [{ name: "read_file", arguments: { path: "a.txt" } }] },
 *   ({ results }) => `It says: ${results[0]}`,
 * ]);
 * ```
 */
export function createScriptedModel<Message = unknown>(
  script: readonly ScriptedStep<Message>[] | ScriptedDialogue<Message>,
  options: ScriptedModelOptions<Message> = {},
): ScriptedModel<Message> {
  checkOptions("create a model", options, { name: true, resultsOf: true });
  const { name = "scripted", resultsOf = lastResults } = options;
  const steps = typeof script === "function" ? new DialogueSteps(script) : new ListedSteps(script);
  const turns: ScriptedTurn[] = [];
  const ids = new Set<string>();
  let known: readonly ToolResult[] | undefined;
  return {
    name,
    turns,
    async respond(messages, tools = [], signal?: AbortSignal) {
      signal?.throwIfAborted();
      const turn = turns.length;
      const asked = turns.at(-1)?.calls.length ?? 0;
      const found = resultsOf(messages);
      // The array of an earlier turn again: there are no new ones.
      const results = asked === 0 || found === known ? [] : (found ?? []);
      if (found !== undefined) expectResults(turn, asked, results.length);
      known = found;
      const answer = await steps.next({ messages, results, tools, turn });
      const { text = "", calls = [] } = typeof answer === "string" ? { text: answer } : answer;
      for (const { id } of calls) if (id !== undefined) ids.add(id);
      const made = { text, calls: calls.map((call) => toCall(call, ids)) };
      turns.push(made);
      return made;
    },
    assertDone: () => steps.assertDone(),
  };
}

function lastResults(messages: readonly unknown[]): readonly ToolResult[] {
  for (const message of messages.toReversed()) {
    const results =
      typeof message === "object" && message !== null && "results" in message ? message.results : undefined;
    if (Array.isArray(results)) return results as readonly ToolResult[];
  }
  return [];
}

function expectResults(turn: number, asked: number, found: number): void {
  if (asked === found) return;
  throw new Error(
    `Cannot answer turn ${turn + 1}: the turn before made ${asked} calls, and ${found} results of them are in the messages; say with resultsOf where they are`,
  );
}

function toCall(
  { id, name, arguments: sent = {} }: { id?: string; name: string; arguments?: unknown },
  ids: Set<string>,
): ScriptedCall {
  if (id !== undefined) return { id, name, arguments: sent };
  let number = ids.size + 1;
  while (ids.has(`call_${number}`)) number += 1;
  ids.add(`call_${number}`);
  return { id: `call_${number}`, name, arguments: sent };
}

/** Where answers come from. */
interface Steps<Message> {
  next(view: ScriptedView<Message>): Promise<ScriptedAnswer>;
  assertDone(): void;
}

class ListedSteps<Message> implements Steps<Message> {
  private readonly steps: readonly ScriptedStep<Message>[];
  private taken = 0;

  constructor(steps: readonly ScriptedStep<Message>[]) {
    this.steps = steps;
  }

  async next(view: ScriptedView<Message>): Promise<ScriptedAnswer> {
    const step = this.steps[this.taken];
    if (step === undefined) throw exhausted(view, `${this.steps.length} steps`);
    this.taken += 1;
    return failing(this.taken, () => (typeof step === "function" ? step(view) : step));
  }

  assertDone(): void {
    const left = this.steps.length - this.taken;
    if (left > 0) throw new Error(`Cannot end the script: ${left} of ${this.steps.length} steps were never asked for`);
  }
}

class DialogueSteps<Message> implements Steps<Message> {
  private readonly dialogue: ScriptedDialogue<Message>;
  private running: ReturnType<ScriptedDialogue<Message>> | undefined;
  private isDone = false;
  private taken = 0;

  constructor(dialogue: ScriptedDialogue<Message>) {
    this.dialogue = dialogue;
  }

  async next(view: ScriptedView<Message>): Promise<ScriptedAnswer> {
    if (this.isDone) throw exhausted(view, `${this.taken} turns`);
    this.taken += 1;
    return failing(this.taken, () => {
      const step = this.running === undefined ? (this.running = this.dialogue(view)).next() : this.running.next(view);
      this.isDone = step.done === true;
      return step.value;
    });
  }

  assertDone(): void {
    if (!this.isDone) throw new Error(`Cannot end the script: it has not returned after ${this.taken} turns`);
  }
}

async function failing(turn: number, answer: () => ScriptedAnswer | Promise<ScriptedAnswer>): Promise<ScriptedAnswer> {
  try {
    return await answer();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Cannot answer turn ${turn}: its step failed, ${message}`, { cause });
  }
}

function exhausted({ turn, results }: Pick<ScriptedView, "turn" | "results">, length: string): Error {
  const last = results.length === 0 ? "" : `. The last result was: ${String(results.at(-1)).slice(0, 200)}`;
  return new Error(`Cannot answer turn ${turn + 1}: the script has ${length}${last}`);
}
