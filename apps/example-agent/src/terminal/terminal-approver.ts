import type { Decision, Person, Question } from "../supervision/approver.ts";
import { AnsweredElsewhere } from "../supervision/race-approvers.ts";
import { oneLine } from "../text/clean-text.ts";
import type { Keyboard } from "./keyboard.ts";
import type { Screen } from "./screen.ts";
import { showDiff } from "./show-diff.ts";
import { answerOf, inquiryKeys, showInquiry } from "./user-question.ts";

/** Asks whoever sits at the terminal, and takes for a yes what is one. */
export function terminalPerson(keyboard: Keyboard, screen: Screen): Person {
  // Questions of calls that run at the same time come one after the other.
  let last: Promise<unknown> = Promise.resolve();
  const askInTurn = (signal: AbortSignal, show: () => void, keys: string): Promise<string | undefined> => {
    const asked = last.then(async () => {
      if (signal.aborted) return undefined;
      show();
      const typed = await screen.pause(() => keyboard.ask(`${screen.paint("dim", keys)} `, { signal }));
      if (signal.reason instanceof AnsweredElsewhere) showAnswer(screen, signal.reason);
      return typed;
    });
    last = asked.catch(() => {});
    return asked;
  };
  return {
    name: "you",
    where: "at the terminal",
    async decide(question) {
      const keys = "  y: yes, n: no, l: later, or say why not [n]";
      const typed = await askInTurn(question.signal, () => showQuestion(screen, question), keys);
      return decisionOf(typed?.trim());
    },
    async answer(inquiry) {
      const typed = await askInTurn(inquiry.signal, () => showInquiry(screen, inquiry), inquiryKeys(inquiry));
      return answerOf(typed ?? "", inquiry);
    },
  };
}

/** Shows what is asked, and all of what a yes would be a yes to. */
export function showQuestion(screen: Screen, { text, detail }: Question): void {
  screen.line();
  screen.line(`${screen.paint("yellow", "?")} ${screen.paint("bold", text)}`);
  showDiff(screen, detail);
}

/** Says what was answered somewhere else while the question stood here. */
function showAnswer(screen: Screen, { where, answer }: AnsweredElsewhere): void {
  const said = "approved" in answer ? describeDecision(answer) : answer.join(", ") || "nothing";
  screen.line(screen.paint("dim", `  answered ${where}: ${oneLine(said)}`));
}

function describeDecision({ approved, later, reason = "no" }: Decision): string {
  return approved ? "yes" : later === true ? "later" : reason;
}

function decisionOf(typed: string | undefined): Decision {
  if (typed === undefined || /^l(ater)?$/i.test(typed)) {
    return { approved: false, later: true, reason: "the person has not decided" };
  }
  if (/^y(es)?$/i.test(typed)) return { approved: true };
  return { approved: false, reason: /^(no?)?$/i.test(typed) ? "the person said no" : typed };
}
