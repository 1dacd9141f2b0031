import { randomUUID } from "node:crypto";
import type { OutputKeeper } from "@dispatch/tools-interface";
import { compactedMessages, cutPoints, type Compaction } from "./compaction.ts";
import type { ContextWindow } from "./context-window.ts";
import type { AssistantTurn, Message } from "./conversation.ts";
import { ModelError, type Model, type ModelRequest } from "./model.ts";
import type { Session } from "./session.ts";
import { summarize } from "./summary.ts";

/** The request to a model, and the window that it has to fit into. */
export interface WindowOptions extends Pick<ModelRequest, "registry" | "signal" | "onNotice"> {
  readonly model: Model;
  readonly session: Session;
  readonly window: ContextWindow;
  /** Keeps results that are not sent, so that the model can read them again. */
  readonly keepOutput: OutputKeeper;
}

/** Shares of the room for the conversation: at the first it is made smaller, down to the others. */
const [FULL, HALF_FULL, ROOMY] = [0.85, 0.65, 0.5];
/** Share of the window that is left for the answer. */
const ANSWER_SHARE = 0.1;
/** Share of the room that a summary takes, and characters that it has at most. */
const [SUMMARY_SHARE, MAX_SUMMARY_CHARS] = [0.2, 12_000];
/** Messages at the end whose results stay unchanged as long as possible: the last turn, and the messages it answers. */
const NEWEST = 4;
/** Characters of a result below which it is not cut as long as older messages can be summarised, and below which it is never cut. */
const [GOOD_RESULT_CHARS, MIN_RESULT_CHARS] = [1_500, 400];
/** How often a provider may say that the conversation is too long. */
const MAX_REFUSALS = 4;

/**
 * Asks the model with as much of the conversation as it can read. Old results are left out first, which the model can read
 * again; then older messages are replaced by a summary.
 */
export async function askInWindow(
  options: WindowOptions,
  request: Omit<ModelRequest, "conversation" | "takenIds">,
): Promise<AssistantTurn> {
  const { model, session, window, registry, keepOutput } = options;
  for (let refusals = 0; ; refusals += 1) {
    if (isFull(options, session.compaction())) await compact(options);
    const conversation = compactedMessages(session.messages, session.compaction(), keepOutput);
    try {
      const answer = await model.respond({ ...request, conversation, takenIds: idsOf(session.messages) });
      if (answer.usage !== undefined) window.counted(conversation, registry, answer.usage);
      return withTurn(answer);
    } catch (error) {
      if (!(error instanceof ModelError) || error.tooLong === undefined || refusals === MAX_REFUSALS) throw error;
      window.tooLong(conversation, registry, error.tooLong.limit);
    }
  }
}

/** The answer with a turn for its calls. Some models number them, and a number alone names no call after a restart. */
function withTurn(answer: AssistantTurn): AssistantTurn {
  const turn = randomUUID();
  return { ...answer, calls: answer.calls.map((call) => ({ ...call, turn: call.turn ?? turn })) };
}

/** Tokens of the next request, estimated, and the limit; `undefined` as long as that is not known. */
export function fullness({
  session,
  window,
  registry,
  keepOutput,
}: Omit<WindowOptions, "model" | "signal" | "onNotice">) {
  const tokens = window.tokensOf(compactedMessages(session.messages, session.compaction(), keepOutput), registry);
  return { tokens, limit: window.limit };
}

/**
 * Makes the conversation smaller.
 *
 * @param now Even if it fits: all of it is summarised.
 * @param focus The subject that the summary should keep above all.
 */
export async function compact(options: WindowOptions, now = false, focus?: string): Promise<void> {
  const { model, session, signal, onNotice } = options;
  const { messages } = session;
  const before = session.compaction();
  const newest = Math.max(before.from, messages.length - NEWEST);
  const fits = (compaction: Compaction): boolean => tokensOf(options, compaction) <= room(options, ROOMY);

  const { resultChars: _, ...kept } = before;
  const withoutOld: Compaction = { ...kept, resultsFrom: Math.max(before.resultsFrom, newest) };
  if (!now && fits(withoutOld)) {
    session.compact(withoutOld);
    return onNotice("old results are left out of what the model reads; it can read them again");
  }
  const withCuts = withShortResults(options, withoutOld, GOOD_RESULT_CHARS);
  if (!now && tokensOf(options, withCuts) <= room(options, HALF_FULL)) {
    session.compact(withCuts);
    return onNotice("long results are cut in what the model reads; it can read on");
  }
  const from = cutFor(options, withoutOld, now);
  let after = withoutOld;
  if (from > before.from) {
    const maxChars = Math.min(MAX_SUMMARY_CHARS, summaryChars(options));
    const older = messages.slice(before.from, from);
    const { text, usage } = await summarize(model, older, before.summary, { signal, maxChars, focus });
    if (usage !== undefined) session.spend(usage);
    after = { from, summary: text, resultsFrom: Math.max(withoutOld.resultsFrom, from) };
    onNotice(`${from - before.from} older messages are summarised for the model; all of them are kept`);
  }
  session.compact(now ? after : withShortResults(options, after, MIN_RESULT_CHARS));
}

/** The newest results are cut too, as far as it takes. */
function withShortResults(options: WindowOptions, compaction: Compaction, fewest: number): Compaction {
  let after = compaction;
  const longest = options.session.messages
    .slice(compaction.from)
    .reduce((most, message) => Math.max(most, longestResult(message)), 0);
  for (let chars = longest; chars > fewest && tokensOf(options, after) > room(options, HALF_FULL); chars /= 2) {
    after = { ...compaction, resultChars: Math.max(fewest, Math.floor(chars / 2)) };
  }
  return after;
}

/**
 * Where to cut so that the kept part has its share of the room. The last message of the user, or turn of the model,
 * stays.
 */
function cutFor(options: WindowOptions, compaction: Compaction, now: boolean): number {
  const points = cutPoints(options.session.messages, compaction.from);
  const { length } = options.session.messages;
  const allowed = points.filter((point) => point < length || now);
  const target = room(options, now ? 0 : ROOMY - SUMMARY_SHARE);
  const { summary: _, ...rest } = compaction;
  const fits = (from: number): boolean =>
    tokensOf(options, { ...rest, from, resultsFrom: Math.max(rest.resultsFrom, from) }) <= target;
  return allowed.find(fits) ?? allowed.at(-1) ?? compaction.from;
}

function isFull(options: WindowOptions, compaction: Compaction): boolean {
  return tokensOf(options, compaction) > room(options, FULL);
}

function tokensOf({ session, window, registry, keepOutput }: WindowOptions, compaction: Compaction): number {
  return window.tokensOf(compactedMessages(session.messages, compaction, keepOutput), registry);
}

/** Tokens of a request whose conversation takes this share of the room that tools and instructions leave. */
function room({ window, registry }: WindowOptions, share: number): number {
  const { limit = Number.POSITIVE_INFINITY } = window;
  if (limit === Number.POSITIVE_INFINITY) return share === 0 ? 0 : limit;
  const fixed = window.tokensOf([], registry);
  return fixed + Math.max(0, limit * (1 - ANSWER_SHARE) - fixed) * share;
}

/** Characters of a summary. */
function summaryChars(options: WindowOptions): number {
  const { window, registry } = options;
  if (window.limit === undefined) return MAX_SUMMARY_CHARS;
  const tokens = room(options, SUMMARY_SHARE) - window.tokensOf([], registry);
  return Math.max(MIN_RESULT_CHARS, (tokens / window.tokensOfText("x".repeat(1_000))) * 1_000);
}

function longestResult(message: Message): number {
  return message.role === "tool" ? Math.max(0, ...message.results.map((result) => String(result).length)) : 0;
}

/** Ids of all calls so far, also of those that are not sent: a server may count from one again. */
function idsOf(messages: readonly Message[]): ReadonlySet<string> {
  const ids = messages.flatMap((message) => (message.role === "assistant" ? message.calls.map(({ id }) => id) : []));
  return new Set(ids.filter((id) => id !== undefined));
}
