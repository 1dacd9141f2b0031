import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createContextWindow } from "../src/agent/context-window.ts";
import { runTask } from "../src/agent/run-task.ts";
import { openToolbox, type Toolbox } from "../src/agent/toolbox.ts";
import { retryingModel } from "../src/models/retrying-model.ts";
import { createSavedSession, resumeSession } from "../src/session/saved-session.ts";
import { DIALECTS } from "./fake-provider/dialects.ts";
import { startFakeProvider, type FakeProvider } from "./fake-provider/fake-provider.ts";
import { strictWindow } from "./fake-provider/strict-window.ts";

const WINDOW = 9_000;
const TURNS = 200;

let provider: FakeProvider | undefined;
let home: string;
let worktreePath: string;
let toolbox: Toolbox;
beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), "long-session-")));
  worktreePath = path.join(home, "work");
  await mkdir(worktreePath);
  toolbox = await openToolbox({ prewarm: 0 });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await toolbox.close();
  await provider?.close();
  await rm(home, { recursive: true, force: true });
});

describe.each(DIALECTS)("a session over $dialect", ({ environment, create, events }) => {
  test.each([
    ["is known", WINDOW, 4],
    ["is learned from refusals, and counted otherwise than guessed", undefined, 3.4],
  ])("goes on for 200 turns in a window that %s", async (_, known, charsPerToken) => {
    const line = "export const value = compute(alpha, beta); // a line of some code\n";
    for (let file = 0; file < 10; file += 1) {
      await writeFile(path.join(worktreePath, `f${file}.ts`), line.repeat(20 * (file + 1)));
    }
    let answers = 0;
    let [summaries, spent] = [0, 0];
    let wanted: string | undefined;
    const reply = strictWindow(WINDOW, charsPerToken, ({ texts, hasTools }, inputTokens) => {
      if (!hasTools) {
        summaries += 1;
        spent += inputTokens;
        return events({ inputTokens, text: `Files f0 to f9 were read again and again; so far ${answers} turns.` });
      }
      answers += 1;
      // Every fifth turn is the user's; the turns between read one or three files, or an omitted result.
      if (answers % 5 === 0) return events({ inputTokens, text: `Turn ${answers} is done.` });
      const shown = texts.findLast((text) => text.includes("Read all of it with read_output"));
      wanted ??= /read_output (\{[^}]*\})/.exec(shown ?? "")?.[1];
      const read = (index: number) => ({
        id: `call_${answers}_${index}`,
        name: "read_file",
        input: { path: `f${(answers + index) % 10}.ts` },
      });
      if (wanted !== undefined && answers % 20 === 1) {
        return events({
          inputTokens,
          calls: [{ id: `call_${answers}`, name: "read_output", input: JSON.parse(wanted) as object }],
        });
      }
      return events({
        inputTokens,
        text: "I read.",
        calls: answers % 3 === 0 ? [read(0), read(1), read(2)] : [read(0)],
      });
    });
    provider = await startFakeProvider(...Array.from({ length: 3 * TURNS }, () => reply));
    for (const [name, value] of Object.entries(environment(provider.url))) vi.stubEnv(name, value);
    const model = retryingModel(await create(provider.url));
    const sessions = path.join(home, "sessions");
    await mkdir(sessions);
    let session = createSavedSession(sessions, { model: model.name, workspace: worktreePath });
    const window = createContextWindow(known);
    const { registry, keepOutput } = toolbox;

    for (let asked = 1; asked <= TURNS / 5; asked += 1) {
      const run = await runTask([`Request ${asked}: read on, please.`], {
        model,
        registry,
        keepOutput,
        session,
        window,
        context: { worktreePath },
      });
      expect(run).toEqual({ outcome: "done" });
      if (asked % 10 !== 0) continue;
      // As after a crash.
      session.close();
      ({ session } = await resumeSession(sessions, session.id ?? ""));
    }
    console.log(`METRIC session.turns_survived ${answers} turns`);
    console.log(`${summaries} summaries, ${reply.refused()} requests refused`);
    expect(answers).toBeGreaterThanOrEqual(TURNS);
    expect(summaries).toBeGreaterThan(0);
    // The conversation itself is whole.
    expect(session.messages.filter(({ role }) => role === "assistant")).toHaveLength(answers);
    expect(session.spent().input).toBe(spent);
    // An omitted result was read again.
    const again = session.transcript.entries.filter(({ name }) => name === "read_output");
    expect(again.length).toBeGreaterThan(0);
    expect(again.some(({ result }) => result.success)).toBe(true);
    session.close();
  });
});
