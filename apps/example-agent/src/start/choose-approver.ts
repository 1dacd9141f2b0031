import { absentApprover, scriptedApprover, type Approver } from "../supervision/approver.ts";
import { raceApprovers } from "../supervision/race-approvers.ts";
import type { Keyboard } from "../terminal/keyboard.ts";
import type { Screen } from "../terminal/screen.ts";
import { createTerminalApprover, showApprovalPrompt } from "../terminal/terminal-approver.ts";

/**
 * Chooses who approves. A scripted model's calls are approved by a script; a real model's by the person, or not at all.
 * With a page, the person decides there, and at the terminal too if there is one. Lines from a pipe decide nothing then.
 */
export function chooseApprover(
  isReal: boolean,
  screen: Screen,
  keyboard: Keyboard | undefined,
  page: Approver | undefined,
): Approver {
  const atTerminal = keyboard !== undefined && process.stdin.isTTY;
  if (page !== undefined) return atTerminal ? raceApprovers(createTerminalApprover(keyboard, screen), page) : page;
  if (keyboard !== undefined) return createTerminalApprover(keyboard, screen);
  return isReal ? absentApprover : scriptedApprover((prompt) => showApprovalPrompt(screen, prompt));
}
