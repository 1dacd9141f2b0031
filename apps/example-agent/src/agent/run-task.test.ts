import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Model } from "./model.ts";
import { runTask } from "./run-task.ts";
import { createSession } from "./session.ts";
import { openToolbox, type Toolbox } from "./toolbox.ts";

let worktreePath: string;
let toolbox: Toolbox;
beforeAll(async () => {
  worktreePath = await mkdtemp(path.join(tmpdir(), "run-task-"));
  toolbox = await openToolbox({ prewarm: 0 });
});
afterAll(async () => {
  await toolbox.close();
  await rm(worktreePath, { recursive: true, force: true });
});

/** Creates a file, then reports the result. */
const writer: Model = {
  name: "writer",
  real: false,
  async respond({ conversation }) {
    const last = conversation.at(-1);
    if (last?.role === "tool") return { text: last.results.map(String).join(), calls: [] };
    return { text: "", calls: [{ id: "1", name: "create_file", arguments: { path: "a.txt", content: "tea" } }] };
  },
};

test("openToolbox() lets each close wait until all is closed", async () => {
  const opened = await openToolbox({ prewarm: 0 });
  let isClosed = false;
  void opened.close().then(() => (isClosed = true));
  await opened.close();
  expect(isClosed).toBe(true);
});

describe("runTask()", () => {
  test("runs a task with a model, a toolbox and a session alone", async () => {
    const session = createSession();
    const { registry } = toolbox;
    const run = await runTask(["Write tea"], { model: writer, registry, context: { worktreePath }, session });
    expect(run).toEqual({ outcome: "done" });
    expect(session.messages.at(-1)).toMatchObject({ text: expect.stringMatching(/^Created a\.txt/) });
    expect(session.transcript.entries).toHaveLength(1);
    expect(await readFile(path.join(worktreePath, "a.txt"), "utf8")).toBe("tea");
  });

  test("stops when the time allowed is over", async () => {
    const endless: Model = {
      name: "endless",
      real: false,
      respond: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
    };
    const { registry } = toolbox;
    const options = { model: endless, registry, context: { worktreePath }, session: createSession() };
    const run = await runTask(["Wait"], { ...options, maxMinutes: 0.0001 });
    expect(run).toEqual({ outcome: "stopped", reason: "the 0.0001 minutes allowed are over" });
  });
});
