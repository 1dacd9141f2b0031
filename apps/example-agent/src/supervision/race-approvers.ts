import type { Answer, Decision, Approver } from "./approver.ts";

/** The abort reason of a question that was answered at another place. */
export class AnsweredElsewhereError extends Error {
  override readonly name = "AnsweredElsewhereError";
  /** Where, as in `on the page`. */
  readonly where: string;
  readonly answer: Decision | Answer;

  constructor(where: string, answer: Decision | Answer) {
    super(`answered ${where}`);
    this.where = where;
    this.answer = answer;
  }
}

/**
 * Asks two approvers the same question at the same time. The first answer counts; the other approver's signal aborts with
 * {@link AnsweredElsewhereError}.
 */
export function raceApprovers(first: Approver, second: Approver): Approver {
  const answer = race(first.answer, second.answer, first, second);
  return {
    name: first.name,
    decide: (prompt) => firstOf(prompt, [first, second], (approver, asked) => approver.decide(asked)),
    ...(answer === undefined ? {} : { answer }),
  };
}

function race(
  one: Approver["answer"],
  other: Approver["answer"],
  first: Approver,
  second: Approver,
): Approver["answer"] {
  if (one === undefined || other === undefined) return one ?? other;
  return (question) =>
    firstOf(question, [first, second], (approver, asked) => (approver === first ? one(asked) : other(asked)));
}

async function firstOf<Asked extends { readonly signal: AbortSignal }, Said extends Decision | Answer>(
  asked: Asked,
  approvers: readonly Approver[],
  ask: (approver: Approver, asked: Asked) => Promise<Said>,
): Promise<Said> {
  const places = approvers.map((approver) => ({ approver, over: new AbortController() }));
  const said = places.map(async ({ approver, over }) => {
    const signal = AbortSignal.any([asked.signal, over.signal]);
    return { approver, answer: await ask(approver, { ...asked, signal }) };
  });
  // The losing approver may reject, before or after: its rejection is not an answer.
  for (const one of said) one.catch(() => {});
  const { approver: winner, answer } = await Promise.race(said);
  for (const { approver, over } of places) {
    if (approver !== winner) over.abort(new AnsweredElsewhereError(winner.where ?? "elsewhere", answer));
  }
  return answer;
}
