import { execFileSync } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TranscriptEntry } from "@dispatch/tools-interface";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runAgent } from "./run-agent.ts";

/** Files of zod have up to some thousand lines: more than a model is shown at once. */
const zod = path.join(path.dirname(createRequire(import.meta.url).resolve("zod/package.json")), "src");

let home: string;
let worktree: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "agent-proof-"));
  worktree = path.join(home, "work");
  await cp(zod, worktree, { recursive: true });
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** How often each file has a name, as grep counts: not as a part of `$NAME`, nor of the path of a file. */
function grepped(word: string): Record<string, number> {
  const name = String.raw`(?<![\w$])${word}(?![\w$]|\.[cm]?[jt]sx?["'])`;
  const found = execFileSync("grep", ["-roP", name, "."], { cwd: worktree, encoding: "utf8" });
  const counts: Record<string, number> = {};
  for (const line of found.trimEnd().split("\n")) {
    const file = line.slice(2, line.indexOf(":"));
    counts[file] = (counts[file] ?? 0) + 1;
  }
  return counts;
}

test("the demonstration proves on large files what grep counts", async () => {
  const before = grepped("ZodError");
  expect(Math.max(...Object.values(before))).toBeGreaterThan(10);
  const task = 'Rename "ZodError" to "ZodProblem"';
  const { code, stdout } = await runAgent(["--workspace", worktree, "--task", task, "--json"], {
    env: { TMPDIR: home },
  });
  expect(code).toBe(0);
  const { transcript } = JSON.parse(stdout) as { readonly transcript: readonly TranscriptEntry[] };
  const { result } = transcript.findLast(({ name }) => name === "execute_code") ?? {};
  const rows = [
    ...(result !== undefined && "output" in result ? (result.output ?? "") : "").matchAll(
      /^(\S+) +old (\d+) new (\d+)$/gm,
    ),
  ];
  const counted = Object.fromEntries(rows.map(([, file = "", , renamed]) => [file, Number(renamed)]));
  expect(rows.every(([, , old]) => old === "0")).toBe(true);
  const { "RENAMED.md": _, ...after } = grepped("ZodProblem");
  expect(counted).toEqual(after);
  expect(after).toEqual(before);
});
