import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { openMemory } from "@dispatch/tool-memory";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostTools } from "../src/host-tools/host-tools.ts";
import { createInspection } from "../src/inspect/inspection.ts";
import { call, createScriptedModel, turn, type Script } from "../src/scripted/scripted-model.ts";
import { createSavedSession, resumeSession } from "../src/session/saved-session.ts";
import { openAgent } from "../src/start/open-agent.ts";
import { createScreen } from "../src/terminal/screen.ts";
import { createView, type View } from "../src/terminal/view.ts";
import { hasTerminals } from "./in-terminal.ts";
import { main, nodeOptions, plainEnvironment } from "./run-agent.ts";

const seed = Number(process.env["SEED"] ?? 31);
const numRuns = Number(process.env["DISPATCH_TEST_RUNS"] ?? 12);

/** Everything that can be under way: calls at once, a program that calls tools, writes of memory, each kind of question. */
const everything: Script = function* () {
  const code = `for (let at = 0; at < 20; at += 1) await memory_write({ label: "counts/" + at, content: "a".repeat(at + 1) });\nawait create_file({ path: ".vscode/b.json", content: "{}" });\nreturn await list_files({});`;
  yield turn(
    "I look and write.",
    call("memory_write", { label: "notes", content: "tea" }),
    call("edit_file", { path: "a.txt", edits: [{ old_text: "one", new_text: "uno" }] }),
    call("memory_read", { query: "tea" }),
  );
  yield turn(
    "I ask.",
    call("memory_write", { label: "rules", content: "Be kind", tier: "core" }),
    call("ask_user_question", { question: "Tea?", options: [{ label: "Yes" }, { label: "No" }] }),
    call("create_file", { path: ".vscode/a.json", content: "{}" }),
  );
  yield turn("I run a program.", call("execute_code", { code }), call("memory_write", { label: "more", content: "x" }));
  return "Done.";
};

const moments = fc.sample(
  fc.record({
    /** Things that the person is shown before it. */
    step: fc.nat(150),
    /** Turns of the event loop after that. */
    turns: fc.nat(40),
    /** Whether the person on the page answers. */
    answers: fc.boolean(),
    /** Whether memory and calls are kept on the disk. */
    keeps: fc.boolean(),
  }),
  { numRuns, seed },
);

/** How long a process that was killed may take to be gone. */
const GONE = { timeout: 30_000 };

let home: string;
let tmpBefore: string | undefined;
const rejections: unknown[] = [];
const onRejection = (reason: unknown): void => void rejections.push(reason);
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "closing-"));
  tmpBefore = process.env["TMPDIR"];
  for (const name of ["tmp", "work", "sessions"]) await mkdir(path.join(home, name));
  await writeFile(path.join(home, "work/a.txt"), "one\n");
  rejections.length = 0;
  process.on("unhandledRejection", onRejection);
});
afterEach(async () => {
  process.off("unhandledRejection", onRejection);
  if (tmpBefore === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = tmpBefore;
  await rm(home, { recursive: true, force: true });
});

/** The processes that run: the process that started each. */
function processes(): ReadonlyMap<number, number> {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,stat=,comm="], { encoding: "utf8" });
  const lines = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  const running = lines.filter(([, , state = "Z", name]) => !state.startsWith("Z") && name !== "ps");
  return new Map(running.map(([pid, parent]) => [Number(pid), Number(parent)]));
}

/** The processes that a process has started, and those that they have started. */
function startedBy(pid: number): readonly number[] {
  const all = processes();
  const found = new Set([pid]);
  for (const one of found) for (const [child, parent] of all) if (parent === one) found.add(child);
  return [...found].slice(1);
}

/** A session's file is whole: each call has its one record, and it goes on as it is. */
async function expectWhole(directory: string): Promise<void> {
  const file = (await readdir(directory)).find((name) => name.endsWith(".jsonl")) ?? "";
  const text = await readFile(path.join(directory, file), "utf8");
  expect(text.endsWith("\n")).toBe(true);
  const lines = text.split("\n").slice(0, -1);
  const records = lines.map(
    (line) => JSON.parse(line) as { message?: { calls?: { id: string }[] }; call?: { callId: string } },
  );
  const asked = records.flatMap(({ message }) => message?.calls?.map(({ id }) => id) ?? []);
  const own = records.flatMap((record) => record.call?.callId ?? []).filter((id) => asked.includes(id));
  expect(own.toSorted()).toEqual(asked.toSorted());
  const { session } = await resumeSession(directory, path.basename(file, ".jsonl"));
  for (const [at, message] of session.messages.entries()) {
    if (message.role !== "assistant" || message.calls.length === 0) continue;
    const answer = session.messages[at + 1];
    expect(answer?.role === "tool" && answer.results).toHaveLength(message.calls.length);
  }
  session.close();
  expect(await readFile(path.join(directory, file), "utf8")).toBe(text);
}

/** Follows the page's feed until the page is closed, and answers its questions, or says that there is one. */
async function sitAtPage(url: string, sees: (() => void) | undefined): Promise<void> {
  const [base = "", token = ""] = url.split("/#token=");
  const headers = { authorization: `Bearer ${token}`, origin: base, "content-type": "application/json" };
  const answered = new Map<string, Promise<number | undefined>>();
  const answer = (kind: string, id: string): Promise<number | undefined> => {
    const body = JSON.stringify(kind === "approval" ? { approved: true } : { answer: ["Yes"] });
    const sent = fetch(`${base}/api/${kind}s/${id}`, { method: "POST", headers, body });
    return sent.then(
      ({ status }) => status,
      () => undefined,
    );
  };
  let text = "";
  try {
    const { body } = await fetch(`${base}/api/feed`, { headers });
    for await (const chunk of body ?? []) {
      text += Buffer.from(chunk).toString();
      for (const [, kind = "", id = ""] of text.matchAll(/"kind":"(approval|question)","id":"(\w+)"/g)) {
        if (sees !== undefined) sees();
        else if (!answered.has(id)) answered.set(id, answer(kind, id));
      }
    }
  } catch {
    // The page was closed.
  }
  // Answered, too late, or cut off by the end of the page.
  for (const status of await Promise.all(answered.values())) expect([200, 409, undefined]).toContain(status);
}

/** Calls `seen` at each thing that a view is shown. */
function watched(view: View, seen: () => void): View {
  return new Proxy(view, {
    get(target, name) {
      seen();
      return Reflect.get(target, name) as unknown;
    },
  });
}

describe("an agent that is closed while it works", () => {
  test.each(moments)(
    "leaves nothing behind: $step steps, $turns turns, answered $answers, kept $keeps",
    async (moment) => {
      const before = startedBy(process.pid);
      process.env["TMPDIR"] = path.join(home, "tmp");
      const kept = (name: string): string | undefined => (moment.keeps ? path.join(home, name) : undefined);
      const session = createSavedSession(path.join(home, "sessions"), { model: "scripted", workspace: home });
      const inspection = createInspection();
      const sink = new Writable({ write: (_chunk, _encoding, done) => done() }) as unknown as NodeJS.WriteStream;
      const now = Promise.withResolvers<void>();
      let left = moment.step;
      const opened = await openAgent({
        model: inspection.recordModel(createScriptedModel(everything)),
        workspace: path.join(home, "work"),
        session: inspection.recordSession(session),
        approver: inspection.approver,
        view: watched(inspection.recordView(createView(createScreen(sink))), () => (left -= 1) < 0 && now.resolve()),
        inspection,
        about: {},
        durable: kept("durable"),
        memory: kept("memory"),
        undo: undefined,
        addTools: hostTools({ canAsk: true }),
        prewarm: 1,
        maxTokens: Number.POSITIVE_INFINITY,
        maxMinutes: Number.POSITIVE_INFINITY,
        contextTokens: undefined,
      });
      const { agent, url = "" } = opened;
      const person = sitAtPage(url, moment.answers ? undefined : now.resolve);
      let outcome: string | undefined;
      const run = agent.run("Work", new AbortController().signal).then((ended) => (outcome = ended.outcome));
      await Promise.race([now.promise, run]);
      for (let turns = 0; turns < moment.turns; turns += 1) await turnOfLoop();

      await agent.close();
      await turnOfLoop();
      expect(outcome).toMatch(/^(stopped|done)$/);
      let isClosed = false;
      void opened.close().then(() => (isClosed = true));
      await opened.close();
      expect(isClosed).toBe(true);
      session.close();
      expect(await agent.run("More", new AbortController().signal)).toEqual({
        outcome: "stopped",
        reason: "the agent was closed",
      });
      await person;
      await expect.poll(() => startedBy(process.pid).filter((pid) => !before.includes(pid)), GONE).toEqual([]);
      expect(await readdir(path.join(home, "tmp"))).toEqual([]);
      await expectWhole(path.join(home, "sessions"));
      if (moment.keeps) {
        const memory = await openMemory(path.join(home, "memory"), { owner: "example", actor: "test" });
        const labels = (await memory.manager.list()).map(({ label }) => label);
        await memory.close();
        const written = session.transcript.entries.filter(
          ({ name, result }) => name === "memory_write" && result.success,
        );
        const calls = written.map(
          ({ arguments: sent }) =>
            (typeof sent === "string" ? JSON.parse(sent) : sent) as { label: string; tier?: string },
        );
        expect(labels).toEqual(
          expect.arrayContaining(calls.filter(({ tier }) => tier !== "core").map(({ label }) => label)),
        );
      }
      expect(rejections).toEqual([]);
    },
  );
});

/** Throws at SIGUSR2, as a fault of the program would. */
const FAULT = `data:text/javascript,process.on("SIGUSR2", () => { throw new Error("planted"); })`;

interface End {
  readonly name: string;
  /** Of the process; another one when it was ended too late. */
  readonly code: number | null;
  readonly end: (child: ChildProcessWithoutNullStreams) => void;
  readonly args?: (home: string) => readonly string[];
}
const ends: readonly End[] = [
  { name: "Ctrl-C", code: 130, end: (child) => child.kill("SIGINT") },
  {
    name: "Ctrl-C twice",
    code: 130,
    end: (child) => {
      child.kill("SIGINT");
      setTimeout(() => child.kill("SIGINT"), 5);
    },
  },
  { name: "SIGTERM", code: 143, end: (child) => child.kill("SIGTERM") },
  { name: "SIGHUP", code: 129, end: (child) => child.kill("SIGHUP") },
  { name: "SIGQUIT", code: 131, end: (child) => child.kill("SIGQUIT") },
  { name: "a reader that leaves", code: 130, end: (child) => child.stdout.destroy() },
  {
    name: "the end of its input",
    code: 0,
    end: (child) => child.stdin.end(),
    args: (place) => ["--chat", "--workspace", `${place}/work`],
  },
  { name: "an unexpected error", code: 1, end: (child) => child.kill("SIGUSR2") },
];
/** How many lines the program has written when it is ended. */
const lines = fc.sample(fc.integer({ min: 1, max: 30 }), { numRuns: Math.ceil(numRuns / 12), seed });

/** Runs a command, ends it after some lines, and returns its exit code when no process is left of it. */
async function endAfter(
  count: number,
  [command = "", ...args]: readonly string[],
  end: End["end"],
): Promise<number | null> {
  const env = { ...plainEnvironment(), TMPDIR: path.join(home, "tmp") };
  const child = spawn(command, args, { env });
  child.stdin.on("error", () => {});
  child.stdin.write(`Rename "one" to "uno"\n`);
  child.stderr.resume();
  let [left, started]: [number, readonly number[]] = [count, []];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const wasLeft = left;
    left -= text.split("\n").length - 1;
    if (wasLeft <= 0 || left > 0) return;
    started = startedBy(child.pid ?? 0);
    end(child);
  });
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  await expect.poll(() => started.filter((pid) => processes().has(pid)), GONE).toEqual([]);
  return code;
}

describe("the program", () => {
  const cases = ends.flatMap((end) => lines.map((count) => ({ ...end, count })));
  test.each(cases)("leaves nothing behind after $name at line $count", async ({ code, end, count, args }) => {
    const options = [...(args?.(home) ?? []), "--sessions", path.join(home, "sessions")];
    const command = [process.execPath, "--import", FAULT, ...nodeOptions, main, ...options];
    expect([code, 0]).toContain(await endAfter(count, command, end));
    expect(await readdir(path.join(home, "tmp"))).toEqual([]);
    await expectWhole(path.join(home, "sessions"));
  });

  test.for(lines)("leaves nothing behind when its terminal is closed at line %i", async (count, { skip }) => {
    if (!hasTerminals) skip("the script of util-linux is not here");
    const words = [process.execPath, ...nodeOptions, main, "--ask", "--sessions", path.join(home, "sessions")];
    const command = `exec ${words.map((word) => `'${word}'`).join(" ")}`;
    await endAfter(count, ["script", "-qefc", command, "/dev/null"], (child) => child.kill("SIGKILL"));
    expect(await readdir(path.join(home, "tmp"))).toEqual([]);
    await expectWhole(path.join(home, "sessions"));
  });
});
