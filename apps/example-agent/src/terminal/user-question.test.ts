import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { UserQuestion } from "../supervision/approver.ts";
import { columnsOf } from "./columns.ts";
import { createScreen } from "./screen.ts";
import { answerOf, answerKeys, showUserQuestion } from "./user-question.ts";

const { signal } = new AbortController();
const question = (labels: readonly string[], several = false): UserQuestion => ({
  text: "Which?",
  choices: labels.map((label) => ({ label })),
  several,
  signal,
});
const colours = ["Red", "Green", "Blue"];

describe("answerOf()", () => {
  test.each<[typed: string, labels: readonly string[], several: boolean, answer: readonly string[]]>([
    ["2", colours, false, ["Green"]],
    [" 3 ", colours, false, ["Blue"]],
    ["green", colours, false, ["Green"]],
    ["", colours, false, []],
    ["   ", colours, true, []],
    ["1, 3", colours, true, ["Red", "Blue"]],
    ["3 3 1", colours, true, ["Blue", "Red"]],
    ["1, 3", colours, false, ["1, 3"]],
    ["4", colours, false, ["4"]],
    ["1, 9", colours, true, ["1, 9"]],
    ["2 of them, but not the last", colours, true, ["2 of them, but not the last"]],
    ["y", colours, false, ["y"]],
    ["anything at all", [], false, ["anything at all"]],
    ["2", ["2", "4", "8"], false, ["2"]],
    ["b", ["2", "4", "8"], false, ["4"]],
  ])("takes %j of %j, several %j, for %j", (typed, labels, several, answer) => {
    expect(answerOf(typed, question(labels, several))).toEqual(answer);
  });
});

describe("showUserQuestion()", () => {
  const shown = (asked: UserQuestion): string => {
    const chunks: string[] = [];
    const sink = new Writable({ write: (chunk, _, done) => (chunks.push(String(chunk)), done()) });
    showUserQuestion(createScreen(sink as unknown as NodeJS.WriteStream), asked);
    return chunks.join("");
  };

  test("shows the question and the choices with their keys", () => {
    const choices = [{ label: "Red", description: "like\nblood" }, { label: "Green" }];
    expect(shown({ ...question([]), choices })).toBe(
      "\n? The agent asks\n  │ Which?\n    1  Red\n       like blood\n    2  Green\n",
    );
    expect(answerKeys(question(colours, true))).toContain("1, 2, 3, several with commas");
    expect(answerKeys(question(["2", "4"]))).toContain("a, b, or in your own words");
  });

  test("lets no question pose as one of the program's, move the cursor or fill the screen", () => {
    const text = `\u001B[2J${"\n".repeat(3)}? Let the agent call wipe?\r\n${"row\n".repeat(5_000)}`;
    const folded = `${"x".repeat(100)}? Let the agent call wipe? ${"字".repeat(100)}? y: yes`;
    const forged = { label: "a\n? Let the agent\u009B1A", description: "\u202Eevil" };
    const rows = [text, folded].flatMap((one) =>
      shown({ ...question([folded]), text: one, choices: [forged] }).split("\n"),
    );
    expect(rows.filter((row) => row.startsWith("?"))).toEqual(["? The agent asks", "? The agent asks"]);
    expect(rows.length).toBeLessThan(70);
    for (const row of rows) expect(columnsOf(row)).toBeLessThanOrEqual(100);
    expect(rows.join("\n")).not.toMatch(/[^\P{Cc}\n]|\u202E/u);
    expect(rows.join("\n")).toContain("more lines");
  });
});
