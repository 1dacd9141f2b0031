import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createNextTools } from "./conformance-next-tools.ts";
import { createConformanceTools } from "./conformance-tools.ts";
import { runFile } from "./run-program.ts";
import { serveToRunner, type ServedToRunner } from "./serve-to-runner.ts";

const TOKEN = "a-token-for-tests-only";
let served: ServedToRunner;
beforeAll(async () => {
  served = await serveToRunner(createConformanceTools().extend(createNextTools()), TOKEN, { afterMs: 100 });
});
afterAll(() => served.close());

/** The runner's next version, the first for this revision. */
const RUNNER = path.join(import.meta.dirname, "node_modules/@modelcontextprotocol/conformance-next/dist/index.js");

/** Checks that fail, by scenario, because they are about something that the server does not declare or that no tool here does. */
const NOT_APPLICABLE: Readonly<Record<string, readonly [failed: number, why: string]>> = {
  "completion-complete": [1, "no completions"],
  "resources-list": [1, "no resources"],
  "resources-read-text": [1, "no resources"],
  "resources-read-binary": [1, "no resources"],
  "resources-templates-read": [1, "no resources"],
  "prompts-list": [1, "no prompts"],
  "prompts-get-simple": [1, "no prompts"],
  "prompts-get-with-args": [1, "no prompts"],
  "prompts-get-embedded-resource": [1, "no prompts"],
  "prompts-get-with-image": [1, "no prompts"],
  "input-required-result-non-tool-request": [1, "no prompts"],
  caching: [3, "lists of prompts, resources and templates; that of tools passes"],
  "input-required-result-basic-sampling": [1, "no sampling: revision 2026-07-28 deprecates it"],
  "input-required-result-basic-list-roots": [1, "no roots: revision 2026-07-28 deprecates them"],
  "input-required-result-multiple-input-requests": [1, "sampling and roots"],
  "input-required-result-capability-check": [1, "sampling"],
  "server-stateless": [2, "a tool that needs a client's capability: ours denies, and says so to the model"],
  "tasks-lifecycle": [1, "a tool that ends in a protocol error: a registry's tools end in results"],
  "tasks-mrtr-input": [1, "several questions at once: a person is asked one at a time"],
  "tasks-required-task-error": [1, "a tool that runs as a task alone: ours run without"],
  "tasks-mrtr-composition": [1, "a question before the task: ours are the task's"],
  "http-custom-header-server-validation": [5, "no tool with x-mcp-header"],
};

test("every requirement of revision 2026-07-28 that applies holds, by the protocol's conformance runner", async () => {
  const { stdout, stderr } = await runFile(process.execPath, [
    RUNNER,
    "server",
    "--url",
    served.url,
    "--requirements",
    "2026-07-28",
  ]);
  const lines = stdout.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gmu);
  const failed = new Map([...lines].map(([, scenario = "", , count]) => [scenario, Number(count)]));
  expect(failed.size, stdout + stderr).toBe(50);
  expect(Object.fromEntries([...failed].filter(([, count]) => count > 0))).toEqual(
    Object.fromEntries(Object.entries(NOT_APPLICABLE).map(([scenario, [count]]) => [scenario, count])),
  );
});

test("a client of 2025-11-25 may resume a stream", async () => {
  const args = ["server", "--url", served.url, "--scenario", "server-sse-polling", "--spec-version", "2025-11-25"];
  const { stdout, stderr } = await runFile(process.execPath, [RUNNER, ...args]);
  expect(stdout + stderr).toMatch(/Passed: 2\/2, 0 failed, 0 warnings/);
});
