import { cleanText, oneLine } from "@dispatch/tools-interface/display";
import type { Answer, Choice, UserQuestion } from "../supervision/approver.ts";
import { wrapLine } from "./columns.ts";
import type { Screen } from "./screen.ts";

/** Lines of a question, and choices, that are shown. */
const MAX_ROWS = 40;

/** Shows a question of the agent's, so that it cannot be taken for one of the program's: each row is marked or set in. */
export function showUserQuestion(screen: Screen, { text, choices }: UserQuestion): void {
  const { line, paint, width } = screen;
  const rows = cleanText(text)
    .trim()
    .split("\n")
    .flatMap((row) => wrapLine(row, width - 5));
  line();
  line(`${paint("cyan", "?")} ${paint("bold", "The agent asks")}`);
  for (const row of rows.slice(0, MAX_ROWS)) line(`  ${paint("cyan", "│")} ${row}`);
  if (rows.length > MAX_ROWS) line(paint("dim", `    and ${rows.length - MAX_ROWS} more lines`));
  const keys = keysOf(choices);
  for (const [index, { label, description = "" }] of choices.slice(0, MAX_ROWS).entries()) {
    const [first = "", ...rest] = wrapLine(oneLine(label), width - 8);
    line(`    ${paint("bold", (keys[index] ?? "").padEnd(2))} ${first}`);
    for (const row of rest) line(`       ${row}`);
    for (const row of description === "" ? [] : wrapLine(oneLine(description), width - 8))
      line(`       ${paint("dim", row)}`);
  }
}

/** How to answer, on one line. */
export function answerKeys({ choices, several }: UserQuestion): string {
  const keys = keysOf(choices);
  if (keys.length === 0) return "  your answer; empty: none";
  return `  ${keys.join(", ")}${several ? ", several with commas" : ""}, or in your own words; empty: none`;
}

/** The answer in the typed text: choices if it consists of their keys or is a label, else the words themselves. */
export function answerOf(typed: string, { choices, several }: UserQuestion): Answer {
  const text = typed.trim();
  if (text === "") return [];
  const keys = keysOf(choices);
  const parts = several ? text.split(/[\s,]+/).filter((part) => part !== "") : [text];
  const chosen = parts.map((part) => choices[keys.indexOf(part.toLowerCase())]?.label);
  if (chosen.every((label) => label !== undefined)) return [...new Set(chosen)];
  const named = choices.find(({ label }) => oneLine(label).toLowerCase() === text.toLowerCase());
  return [named?.label ?? text];
}

/** Numbers; letters where a number may be an answer itself. */
function keysOf(choices: readonly Choice[]): readonly string[] {
  const numbered = !choices.some(({ label }) => /^\s*\d+\s*$/.test(label));
  return choices.slice(0, MAX_ROWS).map((_, index) => (numbered ? String(index + 1) : (index + 10).toString(36)));
}
