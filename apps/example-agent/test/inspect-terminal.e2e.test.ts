import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Entry, ApprovalEntry } from "../src/inspect/entry.ts";
import { CTRL_C, ENTER, runInTerminal, type TerminalRun } from "./in-terminal.ts";
import { runAgent } from "./run-agent.ts";

let home: string;
let worktree: string;
let run: TerminalRun | undefined;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "agent-inspect-"));
  worktree = path.join(home, "work");
  await mkdir(worktree);
  await writeFile(path.join(worktree, "a.txt"), "one\n");
});
afterEach(async () => {
  await run?.kill();
  await rm(home, { recursive: true, force: true });
});
const args = () => ["--inspect", "--workspace", worktree, "--task", 'Rename "one" to "uno"'];

/** How long something is waited for before the test fails. */
const TIMEOUT_MS = 60_000;

/** A page at this address. */
class PageOf {
  readonly #base: string;
  readonly #headers: Record<string, string>;

  constructor(printed: string) {
    const [, base = "", token = ""] = /(http:\S+?)\/#token=(\S+)/.exec(printed) ?? [];
    this.#base = base;
    this.#headers = { authorization: `Bearer ${token}`, origin: base, "content-type": "application/json" };
  }

  /** The question that is asked, once it is in this state. */
  async question(state: ApprovalEntry["state"]): Promise<ApprovalEntry> {
    const response = await fetch(`${this.#base}/api/feed`, {
      headers: this.#headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    let text = "";
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      const entries = [...text.matchAll(/^data: (\[.*\])$/gm)].flatMap(([, data = ""]) => JSON.parse(data) as Entry[]);
      const found = entries.findLast((entry) => entry.kind === "approval");
      if (found?.state === state) return found;
    }
    throw new Error(`Never seen: a question that is ${state}, but ${text}`);
  }

  async try(name: string, params: object): Promise<void> {
    const body = JSON.stringify({ arguments: params });
    await fetch(`${this.#base}/api/tools/${name}`, { method: "POST", headers: this.#headers, body });
  }

  async answer({ id }: ApprovalEntry, decision: object): Promise<void> {
    const body = JSON.stringify(decision);
    const { ok } = await fetch(`${this.#base}/api/approvals/${id}`, {
      method: "POST",
      headers: this.#headers,
      body,
    });
    if (!ok) throw new Error("Cannot answer: the page would not take it");
  }
}

describe("--inspect at a terminal", () => {
  test("asks at both places; an answer on the page ends the question at the terminal; stays until Ctrl-C", async () => {
    run = runInTerminal(args(), { TMPDIR: home });
    await run.seen(/look inside: http:\/\/127\.0\.0\.1:\d+\/#token=\S+/);
    await run.seen(/Let the agent write conventions to its core memory\?[^]*\[n\] $/);
    const page = new PageOf(run.raw);
    await page.answer(await page.question("open"), { approved: true });
    await run.seen(/answered on the page: yes/);
    await run.seen(/done: \d+ calls[^]*the page stays until Ctrl-C/);
    expect(await page.question("approved")).toMatchObject({ where: "on the page" });
    run.type(CTRL_C);
    expect(await run.ended).toBe(0);
    await expect(page.question("open")).rejects.toThrow(/fetch failed/);
  });

  test("tells the page what was answered at the terminal", async () => {
    run = runInTerminal(args(), { TMPDIR: home });
    await run.seen(/core memory\?[^]*\[n\] $/);
    const page = new PageOf(run.raw);
    run.type(`not now${ENTER}`);
    await run.seen(/the page stays until Ctrl-C/);
    expect(await page.question("refused")).toMatchObject({ where: "at the terminal", reason: "not now" });
    run.type(CTRL_C);
    expect(await run.ended).toBe(0);
  });
});

describe("--inspect in a chat", () => {
  test("asks on the page alone about what was tried there: nothing typed at the prompt is an answer", async () => {
    run = runInTerminal(["--chat", "--inspect", "--workspace", worktree], { TMPDIR: home });
    await run.seen(/look inside: \S+\n[^]*› $/);
    const page = new PageOf(run.raw);
    await page.try("create_file", { path: ".github/workflows/x.yml", content: "on: push" });
    const asked = await page.question("open");
    run.type(`y${ENTER}`);
    await run.seen(/I am a scripted model[^]*› $/);
    expect(run.raw).not.toContain(asked.text);
    expect(existsSync(path.join(worktree, ".github"))).toBe(false);
    await page.answer(asked, { approved: false });
    await page.question("refused");
    expect(existsSync(path.join(worktree, ".github"))).toBe(false);
    run.type(`/exit${ENTER}`);
    expect(await run.ended).toBe(0);
  });
});

describe("--inspect without a terminal", () => {
  test("asks on the page alone, and Ctrl-C stops it", async () => {
    const { code, stdout } = await runAgent(args(), {
      interruptAt: /✓ memory_write[^]*✓ memory_write/,
      env: { TMPDIR: home },
    });
    expect(code).toBe(130);
    expect(stdout).toMatch(/look inside: http:\/\/127\.0\.0\.1/);
    expect(stdout).not.toContain("approved by");
    expect(await readFile(path.join(worktree, "a.txt"), "utf8")).toBe("uno\n");
  });
});
