import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runNode, type Finished } from "./run-agent.ts";

const root = path.resolve(import.meta.dirname, "../../..");
// Beside this test, where the packages can be found; files that the examples make go into a directory of their own.
const directory = path.join(import.meta.dirname, "generated");
const temporary = mkdtempSync(path.join(tmpdir(), "docs-"));
const run = promisify(execFile);

/** Every fenced block of every page, by the page and its number there. */
const blocks = globSync(["*.md", "{packages,apps}/*/{,docs/}*.md"], {
  cwd: root,
  exclude: ["**/CHANGELOG.md"],
})
  .toSorted()
  .flatMap((page) => {
    const text = readFileSync(path.join(root, page), "utf8");
    return [...text.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(([, language = "", code = ""], index) => ({
      name: `${page} ${index + 1}`,
      file: path.join(directory, `${page.replaceAll(/[/.]/g, "-")}-${index + 1}.ts`),
      language,
      code,
    }));
  });
/**
 * Examples that need your own services, such as a database server, are marked `no-run`: they are compiled only. Those
 * that need other vendors' packages are marked `peers`, and tried where they are installed.
 */
const examples = blocks.filter(({ language }) => /^ts( no-run)?$/.test(language));
const runnable = examples.filter(({ language }) => language === "ts");

beforeAll(() => {
  mkdirSync(directory, { recursive: true });
  for (const { file, code } of examples) writeFileSync(file, code);
});

afterAll(() => {
  for (const made of [directory, temporary]) rmSync(made, { recursive: true, force: true });
});

const finished = new Map<string, Promise<Finished>>();

/** Runs an example, once. */
function runExample(file: string): Promise<Finished> {
  const running =
    finished.get(file) ?? runNode(["--disable-warning=ExperimentalWarning", file], { env: { TMPDIR: temporary } });
  finished.set(file, running);
  return running;
}

describe("the examples in the docs", () => {
  test("are marked as what they are", () => {
    const others = blocks.filter(({ language }) => !/^ts( no-run| peers)?$/.test(language));
    expect(others.filter(({ code }) => /^(import|export|const|await) /m.test(code)).map(({ name }) => name)).toEqual(
      [],
    );
  });

  test("are there, and compile as they stand", async () => {
    expect(runnable.length).toBeGreaterThan(7);
    const config = { extends: "../../../../tsconfig.base.json", compilerOptions: { lib: ["esnext"] }, include: ["."] };
    writeFileSync(path.join(directory, "tsconfig.json"), JSON.stringify(config));
    const tsc = path.join(root, "node_modules/.bin/tsc");
    const said = await run(tsc, ["-p", directory, "--checkers", "1"]).catch((error: { stdout: string }) => error);
    expect(said.stdout).toBe("");
  });

  test.each(runnable)("$name runs and prints something, or nothing to complain of", async ({ file, code }) => {
    const { code: exit, stdout, stderr } = await runExample(file);
    expect([exit, stderr]).toEqual([0, ""]);
    if (code.includes("console.log")) expect(stdout.trim()).not.toBe("");
  });

  test("the one of the README does what it says", async () => {
    const { file = "" } = runnable.find(({ name }) => name.startsWith("README.md")) ?? {};
    const { stdout } = await runExample(file);
    expect(stdout).toMatch(/^true .*notes\/a\.txt/);
    expect(stdout).toContain("false ");
    expect(stdout).toContain("6 tools, 2 entries");
  });

  test("two providers take less than sixty lines", () => {
    const providers = examples.find(({ code }) => code.includes("toOpenAiTools") && code.includes("toAnthropicTools"));
    expect(providers?.code.split("\n").length).toBeLessThan(60);
  });

  test("the comparison has the figures that the benches kept", () => {
    const read = (file: string): string => readFileSync(path.join(root, file), "utf8");
    interface Kept {
      readonly versions: Readonly<Record<string, string>>;
      readonly figures: Readonly<Record<string, string>>;
    }
    const kept = JSON.parse(read(".ci/bench-results.json")) as Record<string, Kept>;
    const { figures: failing = {}, versions = {} } = kept["packages/tools-interface/bench/peers.bench.ts"] ?? {};
    const { figures: hostile = {} } = kept["packages/tools-interface/bench/mcp-hostile.bench.ts"] ?? {};
    const { figures: speed = {} } = kept["packages/tools-interface/bench/peers-speed.bench.ts"] ?? {};
    const peers = {
      ai: "ai",
      anthropic: "@anthropic-ai/sdk",
      langchain: "@langchain/core",
      mastra: "@mastra/core",
      mcp: "@modelcontextprotocol/sdk",
      openai_agents: "@openai/agents",
    };
    const counts = [
      "torture.passed",
      "torture.not_offered",
      "torture.passed_with_catch",
      "repair.fixed",
      "error.length",
    ];
    const row = (label: string, figures: readonly (string | undefined)[]): string =>
      `| ${[label, ...figures.map((figure) => figure?.split(" ")[0])].join(" | ")} |`;
    const expected = [
      row(
        "`@dispatch/tools-interface`",
        counts.map((name) => failing[name]),
      ),
      row("`connectMcp` of `@dispatch/mcp`", [hostile["mcp.hostile.passed"]]),
      ...Object.entries(peers).flatMap(([name, of]) => [
        row(
          `\`${of}\` ${versions[of]}`,
          counts.map((figure) => failing[`${figure}.${name}`]),
        ),
        ` | ${speed[`dispatch.valid.vs_${name}`]?.split(" ")[0]} |`,
      ]),
      ...Object.entries({ "@ai-sdk/mcp": "ai_sdk_mcp", "@openai/agents": "openai_agents" }).map(([of, name]) =>
        row(`\`${of}\` ${versions[of]}`, [hostile[`mcp.hostile.passed.${name}`]]),
      ),
    ];
    const page = read("COMPARISON.md").replaceAll(/ +/g, " ");
    expect(expected.filter((line) => !page.includes(line))).toEqual([]);
  });
});
