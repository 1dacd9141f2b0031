import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../machine/run-command.ts";

/** A search that lists more pages than this leads nowhere. */
const MAX_FOUND = 5;

/** Question, the word that one would search for, the page that answers it, and a part of the answer. */
const QUESTIONS: readonly (readonly [question: string, word: string, page: string, answer: RegExp])[] = [
  ["How long may one call run?", "timeoutMs", "tools-interface/docs/defining-tools.md", /120,000/],
  ["How do I limit the text that a model is shown?", "maxOutputChars", "tools-interface/docs/registry.md", /smallest/],
  ["How do I read the rest of a truncated result?", "createOutputArchive", "tools-interface/docs/registry.md", /read_/],
  ["Which calls of a turn run one after the other?", "dispatchAll", "tools-interface/docs/dispatch.md", /resource/],
  ["How do I offer hundreds of tools?", "defer", "tools-interface/docs/many-tools.md", /search_tools/],
  ["How does a person approve later?", "createApprovals", "tools-interface/docs/approval.md", /ten minutes/],
  ["What happens to a cut-off answer?", "cut_off", "tools-interface/docs/answers.md", /never\s+executes/],
  ["How do I end the loop from a tool?", "stopLoop", "tools-interface/docs/loop.md", /stop_loop/],
  [
    "How do I continue a conversation after a crash?",
    "reconcile",
    "tools-interface/docs/transcripts.md",
    /interrupted/,
  ],
  ["Which schema libraries can I use?", "ArkType", "tools-interface/docs/schemas.md", /toStandardJsonSchema/],
  ["How do I serve a registry over MCP?", "serveMcp", "tools-interface/docs/mcp.md", /serveMcp\(registry/],
  ["How do I test a tool?", "conformanceCases", "tools-interface/docs/testing.md", /params/],
  ["Which files need approval to be written?", "protectedPaths", "tool-files/docs/protected-paths.md", /`ask`/],
  ["How large may a file be that is edited?", "edit_file", "tool-files/docs/limits.md", /8 MiB, 200 edits/],
  ["How do I undo what a tool wrote?", "createFileHistory", "tool-files/docs/undo.md", /undo\(worktreePath\)/],
  ["How much memory may a program use?", "rssMb", "tool-code/docs/limits.md", /512/],
  ["How do I let programs reach a host?", "allowedHosts", "tool-code/docs/deno.md", /optional port/],
  ["What runs where there is no Deno?", "Alpine", "tool-code/docs/quickjs.md", /quickjs-wasi/],
  ["How do I keep the memories of many users?", "memoryOwner", "tool-memory/docs/many-owners.md", /required/],
  ["How do I search by meaning?", "embedder", "tool-memory/docs/search.md", /openAiEmbedder\(\{ url/],
  ["How does a tool report progress?", "progress", "tools-interface/docs/defining-tools.md", /progress\(update\)/],
  ["How do I cancel the calls of a turn?", "cancels", "tools-interface/docs/dispatch.md", /`signal` +\| cancels/],
  ["How is a failed call tried again?", "retries", "tools-interface/docs/defining-tools.md", /after a throw/],
  ["How many calls run at once?", "maxConcurrency", "tools-interface/docs/dispatch.md", /at the same time/],
  ["How do I wrap every call?", "middleware", "tools-interface/docs/registry.md", /first one outermost/],
  ["How do I offer fewer tools to a sub-agent?", "subset", "tools-interface/docs/registry.md", /without/],
  ["How does a tool return an image?", "image", "tools-interface/docs/results.md", /type: "image", data, mimeType/],
  ["How do I keep a tool for programs alone?", "callers", "tools-interface/docs/many-tools.md", /\["program"\]/],
  ["How do I bound a loop?", "maxTurns", "tools-interface/docs/loop.md", /number of requests/],
  ["How do I log in to an MCP server?", "authProvider", "tools-interface/docs/mcp-client.md", /## OAuth/],
  ["How do I forbid calls by rules?", "deny", "tools-interface/docs/policy.md", /definePolicy|createPolicy/],
  ["How do calls survive a crash?", "durable", "tools-interface/docs/durable.md", /neither lost nor run twice/],
  [
    "How do I test without a model?",
    "createScriptedModel",
    "tools-interface/docs/testing.md",
    /createScriptedModel\(\[/,
  ],
  ["Which schemas does OpenAI's strict mode take?", "strict", "tools-interface/docs/providers.md", /strict/],
  ["Which encodings are read?", "encoding", "tool-files/docs/reading.md", /UTF-16/],
  [
    "How do I give an agent two directories?",
    "mountFileSystems",
    "tool-files/docs/file-systems.md",
    /several file systems/,
  ],
  ["Can a program import npm packages?", "npm packages", "tool-code/docs/programs.md", /cannot be imported/],
  ["Has a program environment variables?", "env", "tool-code/docs/programs.md", /`process\.env` is empty/],
  ["How do I delete all about a person?", "forget", "tool-memory/docs/steward.md", /every line that contains/],
  ["How do I back up a memory?", "backup", "tool-memory/docs/opening.md", /while the memory is in use/],
];

/** The pages that the packages' tarballs hold. */
const pages = globSync("packages/*/{*.md,docs/*.md}", { cwd: root, exclude: ["**/CHANGELOG.md", "**/PEERS.md"] }).map(
  (file) => [path.relative("packages", file), readFileSync(path.join(root, file), "utf8")] as const,
);

describe("a search in the packages' pages answers", () => {
  test("forty questions", () => expect(QUESTIONS).toHaveLength(40));

  test.each(QUESTIONS)("%s", (_question, word, page, answer) => {
    const whole = new RegExp(String.raw`(?<![\w])${word}(?![\w])`, "g");
    const uses = pages.map(([name, text]) => [name, text.match(whole)?.length ?? 0] as const);
    // As a search tool lists them: the page that uses the word most comes first.
    const found = uses.filter(([, count]) => count > 0).toSorted(([, a], [, b]) => b - a);
    expect(found.slice(0, MAX_FOUND).map(([name]) => name)).toContain(page);
    expect(new Map(pages).get(page)).toMatch(answer);
  });
});

test("every page that the skill names is there", () => {
  const skill = readFileSync(path.join(root, "packages/tools-interface/skills/dispatch/SKILL.md"), "utf8");
  const named = [...skill.matchAll(/`(?<page>[\w-]+(?:\/[\w-]+)*\.md)`/g)].map(({ groups }) => groups?.["page"] ?? "");
  const known = pages.map(([name]) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((page) => !known.some((name) => name === page || name.endsWith(`/docs/${page}`)))).toEqual([]);
});
