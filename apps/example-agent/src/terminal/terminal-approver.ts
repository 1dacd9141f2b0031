import { oneLine } from "@dispatch/tools-interface/display";
import type { Decision, Approver, ApprovalPrompt } from "../supervision/approver.ts";
import { AnsweredElsewhereError } from "../supervision/race-approvers.ts";
import type { Keyboard } from "./keyboard.ts";
import type { Screen } from "./screen.ts";
import { showDiff } from "./show-diff.ts";
import { answerOf, answerKeys, showUserQuestion } from "./user-question.ts";

/** Runs one piece of work at a time, in the order of the calls. */
type Mutex = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a mutex. Work that fails does not stop the work after it. */
function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

/** Asks the person at the terminal, one question at a time. Only an explicit yes approves. */
export function createTerminalApprover(keyboard: Keyboard, screen: Screen): Approver {
  // Calls that run at the same time may ask at the same time.
  const oneAtATime = createMutex();
  const ask = (signal: AbortSignal, show: () => void, keys: string): Promise<string | undefined> =>
    oneAtATime(async () => {
      if (signal.aborted) return undefined;
      show();
      const typed = await screen.pause(() => keyboard.ask(`  ${screen.paint("dim", keys.trimStart())} `, { signal }));
      if (signal.reason instanceof AnsweredElsewhereError) showAnswer(screen, signal.reason);
      return typed;
    });
  return {
    name: "you",
    where: "at the terminal",
    async decide(prompt) {
      const always = (prompt.always ?? []).map(({ key, label }) => `${key}: ${label}, `).join("");
      const keys = `  y: yes, ${always}n: no, l: later, or say why not [n]`;
      const typed = await ask(prompt.signal, () => showApprovalPrompt(screen, prompt), keys);
      return decisionOf(typed?.trim(), prompt.always);
    },
    async answer(question) {
      const typed = await ask(question.signal, () => showUserQuestion(screen, question), answerKeys(question));
      return answerOf(typed ?? "", question);
    },
  };
}

/** Shows the question and everything that is being approved. */
export function showApprovalPrompt(screen: Screen, { text, detail }: ApprovalPrompt): void {
  screen.line();
  screen.line(`${screen.paint("yellow", "?")} ${screen.paint("bold", text)}`);
  showDiff(screen, detail);
}

/** Shows the answer that was given elsewhere while the question stood here. */
function showAnswer(screen: Screen, { where, answer }: AnsweredElsewhereError): void {
  const said = "approved" in answer ? describeDecision(answer) : answer.join(", ") || "nothing";
  screen.line(screen.paint("dim", `  answered ${where}: ${oneLine(said)}`));
  if ("approved" in answer && answer.edited !== undefined) showDiff(screen, answer.edited.changes);
}

function describeDecision({ approved, later, edited, reason = "no" }: Decision): string {
  return approved ? (edited === undefined ? "yes" : "yes, with these changes") : later === true ? "later" : reason;
}

function decisionOf(typed: string | undefined, offers: ApprovalPrompt["always"] = []): Decision {
  if (typed === undefined || /^l(ater)?$/i.test(typed)) {
    return { approved: false, later: true, reason: "the person has not decided" };
  }
  if (/^y(es)?$/i.test(typed)) return { approved: true };
  const always = offers.find(({ key }) => key === typed.toLowerCase());
  if (always !== undefined) return { approved: true, always };
  return { approved: false, reason: /^(no?)?$/i.test(typed) ? "the person said no" : typed };
}
