import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");
// Beside this test, where the packages can be found; what the examples make themselves goes into a folder of its own.
const folder = path.join(import.meta.dirname, "generated");
const temporary = mkdtempSync(path.join(tmpdir(), "docs-"));
const run = promisify(execFile);

/** Every TypeScript example of every page, by the page and its number there. */
const examples = globSync(["*.md", "packages/*/*.md"], { cwd: root, exclude: ["**/CHANGELOG.md"] })
  .toSorted()
  .flatMap((page) => {
    const text = readFileSync(path.join(root, page), "utf8");
    return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""], index) => ({
      name: `${page} ${index + 1}`,
      file: path.join(folder, `${page.replaceAll(/[/.]/g, "-")}-${index + 1}.ts`),
      code,
    }));
  });

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  for (const { file, code } of examples) writeFileSync(file, code);
});

afterAll(() => {
  for (const made of [folder, temporary]) rmSync(made, { recursive: true, force: true });
});

describe("the examples in the docs", () => {
  test("are there, and compile as they stand", async () => {
    expect(examples.length).toBeGreaterThan(7);
    const config = { extends: "../../../../tsconfig.base.json", compilerOptions: { lib: ["esnext"] }, include: ["."] };
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = path.join(root, "node_modules/.bin/tsc");
    const said = await run(tsc, ["-p", folder]).catch((error: { stdout: string }) => error);
    expect(said.stdout).toBe("");
  });

  test.each(examples)("$name runs and prints something, or nothing to complain of", async ({ file, code }) => {
    const flags = ["--conditions=@dispatch/source", "--disable-warning=ExperimentalWarning", file];
    const { stdout, stderr } = await run(process.execPath, flags, { env: { ...process.env, TMPDIR: temporary } });
    expect(stderr).toBe("");
    if (code.includes("console.log")) expect(stdout.trim()).not.toBe("");
  });

  test("the one of the README does what it says", async () => {
    const { stdout } = await run(
      process.execPath,
      ["--conditions=@dispatch/source", path.join(folder, "README-md-1.ts")],
      {
        env: { ...process.env, TMPDIR: temporary },
      },
    );
    expect(stdout).toMatch(/^true .*notes\/a\.txt/);
    expect(stdout).toContain("false ");
    expect(stdout).toContain("6 tools, 2 entries");
  });

  test("two providers take less than sixty lines", () => {
    const providers = examples.find(({ code }) => code.includes("toOpenAiTools") && code.includes("toAnthropicTools"));
    expect(providers?.code.split("\n").length).toBeLessThan(60);
  });
});
