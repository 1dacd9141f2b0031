import type { Answer, Decision, Person } from "./approver.ts";

/** Why somebody is not asked any more: somebody else answered. */
export class AnsweredElsewhere extends Error {
  override readonly name = "AnsweredElsewhere";
  /** Where, as in `on the page`. */
  readonly where: string;
  /** What was answered. */
  readonly answer: Decision | Answer;

  constructor(where: string, answer: Decision | Answer) {
    super(`answered ${where}`);
    this.where = where;
    this.answer = answer;
  }
}

/**
 * Two places where a person is asked the same at the same time. The first answer counts, and the other place is told by
 * its signal, which aborts with {@link AnsweredElsewhere}.
 */
export function eitherPerson(first: Person, second: Person): Person {
  const answer = race(first.answer, second.answer, first, second);
  return {
    name: first.name,
    decide: (question) => firstOf(question, [first, second], (person, asked) => person.decide(asked)),
    ...(answer === undefined ? {} : { answer }),
  };
}

function race(one: Person["answer"], other: Person["answer"], first: Person, second: Person): Person["answer"] {
  if (one === undefined || other === undefined) return one ?? other;
  return (inquiry) =>
    firstOf(inquiry, [first, second], (person, asked) => (person === first ? one(asked) : other(asked)));
}

async function firstOf<Asked extends { readonly signal: AbortSignal }, Said extends Decision | Answer>(
  asked: Asked,
  people: readonly Person[],
  ask: (person: Person, asked: Asked) => Promise<Said>,
): Promise<Said> {
  const places = people.map((person) => ({ person, over: new AbortController() }));
  const said = places.map(async ({ person, over }) => {
    const signal = AbortSignal.any([asked.signal, over.signal]);
    return { person, answer: await ask(person, { ...asked, signal }) };
  });
  // Whoever loses may have failed or fail later: that is nobody's answer.
  for (const one of said) one.catch(() => {});
  const { person: winner, answer } = await Promise.race(said);
  for (const { person, over } of places) {
    if (person !== winner) over.abort(new AnsweredElsewhere(winner.where ?? "elsewhere", answer));
  }
  return answer;
}
