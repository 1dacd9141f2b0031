import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { columnsOf } from "../src/terminal/columns.ts";
import { runAgent } from "./run-agent.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const original = path.join(repository, "packages/tools-interface/src");

let home: string;
let worktree: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "demo-"));
  worktree = path.join(home, "work");
  await mkdir(worktree);
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** The text of each file, by its path. */
async function textsIn(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const read = async (file: string) => [path.relative(directory, file), await readFile(file, "utf8")] as const;
  return Object.fromEntries(await Promise.all(files.toSorted().map(read)));
}

describe("the demonstration", () => {
  test("leaves code that loads and type-checks, changed by nothing but the new name", async () => {
    const { code, stdout } = await runAgent(["--keep"], { env: { TMPDIR: home }, columns: 80 });
    expect(code).toBe(0);
    const [, from = "", to = ""] = /^task +Rename "(\w+)" to "(\w+)"$/m.exec(stdout) ?? [];
    expect(stdout).toMatch(
      new RegExp(`^Done: ${from} is ${to} in \\d+ files, and nothing else changed in \\d+\\.\n`, "m"),
    );
    expect(stdout).toMatch(/^A program loaded the \d+ modules it touches, without running them\.$/m);
    // A screen; the path of the copy, which is kept here, takes a row of its own.
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((line) => Math.max(1, Math.ceil(columnsOf(line) / 80)));
    expect(rows.reduce((sum, row) => sum + row)).toBeLessThanOrEqual(45);
    // The refusal that the demonstration wants is no failure among the others.
    expect(stdout).toMatch(/^⊘ read_file .* → refused, as it must be: it le/m);
    expect(stdout).not.toContain("✗");

    const copy = (await readdir(home)).find((name) => name.startsWith("dispatch-agent-")) ?? "";
    const before = await textsIn(original);
    const after = await textsIn(path.join(home, copy, "src"));
    const renamed = Object.entries(before).map(([name, text]) => [
      name,
      text.replaceAll(new RegExp(`\\b${from}\\b`, "g"), to),
    ]);
    expect(after).toEqual(Object.fromEntries(renamed));
    expect(after).not.toEqual(before);

    const changed = Object.keys(after).filter((name) => after[name] !== before[name] && !name.includes(".test."));
    const imports = changed.map((name) => `await import("./src/${name}");`).join("\n");
    await writeFile(path.join(home, copy, "load.mjs"), imports);
    execFileSync(process.execPath, ["--conditions=@dispatch/source", "load.mjs"], { cwd: path.join(home, copy) });
    const config = {
      extends: path.join(repository, "tsconfig.base.json"),
      compilerOptions: { typeRoots: [path.join(repository, "node_modules/@types")] },
      files: changed.map((name) => `src/${name}`),
    };
    await writeFile(path.join(home, copy, "tsconfig.json"), JSON.stringify(config));
    const check = spawnSync(process.execPath, [path.join(repository, "node_modules/typescript/bin/tsc"), "-p", "."], {
      cwd: path.join(home, copy),
      encoding: "utf8",
    });
    expect(check.stdout).toBe("");
  });

  const code = {
    "load.ts": "export function load(): number {\n  return 1;\n}\nexport function fetch_(): number {\n  return 2;\n}\n",
    "main.ts":
      'import { fetch_, load } from "./load.ts";\nconst [reload, $load, loadé, load2] = [1, 2, 3, 4];\nexport const all = [load(), fetch_(), reload, $load, loadé, load2];\n',
  };
  const rename = async (from: string, to: string, files: Readonly<Record<string, string>> = code) => {
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(worktree, name), text);
    const task = `Rename "${from}" to "${to}"`;
    const { stdout } = await runAgent(["--workspace", worktree, "--task", task], { env: { TMPDIR: home } });
    return { stdout, left: await textsIn(worktree) };
  };

  test("asks for another name where it is taken, and changes nothing", async () => {
    const { stdout, left } = await rename("load", "fetch_");
    expect(stdout).toContain(
      "fetch_ is taken: it stands in load.ts, main.ts. I changed nothing. Which name shall it be?",
    );
    expect(left).toEqual(code);
  });

  test("changes nothing where there is no such name, also when it is a part of others", async () => {
    for (const [from, why] of [
      ["absent", "Nothing to rename"],
      ["fetch", "Nothing to rename"],
    ] as const) {
      const { stdout, left } = await rename(from, "found");
      expect(stdout).toMatch(
        new RegExp(`${why}: ${from} does not occur in this worktree as a word of its own\\.$`, "m"),
      );
      expect(left).toEqual(code);
    }
  });

  test("leaves other names alone of which it is a part, and file names", async () => {
    const { stdout, left } = await rename("load", "obtain");
    expect(stdout).toContain("Done: load is obtain in 2 files, and nothing else changed in 2.");
    expect(stdout).toContain("A program loaded the 2 modules it touches");
    const { "RENAMED.md": _, ...rest } = left;
    expect(rest).toEqual({
      "load.ts": code["load.ts"].replace("function load(", "function obtain("),
      "main.ts": code["main.ts"].replace("fetch_, load }", "fetch_, obtain }").replace("[load(),", "[obtain(),"),
    });
  });

  test("takes its edits back where the code does not load any more, and remembers nothing", async () => {
    const files = {
      "a.ts": "export const one = 1;\n",
      "b.ts": 'import { one } from "./a.ts";\nexport const b = [one];\n',
      "c.ts": 'export * from "./one";\n',
      "one.ts": "export const c = 1;\n",
    };
    const isUndone = (stdout: string) => {
      expect(stdout).toContain("I took my edits back: a program found every file as it was.");
      expect(stdout).not.toMatch(/Done:|memory_write/);
    };
    const { stdout, left } = await rename("one", "uno", files);
    expect(stdout).toMatch(/^Not finished: 1 modules load no more: c\.ts: /m);
    isUndone(stdout);
    expect(left).toEqual(files);
    const reserved = await rename("one", "class", files);
    expect(reserved.stdout).toMatch(/^Not finished: /m);
    isUndone(reserved.stdout);
    expect(reserved.left).toEqual(files);
  });

  test("takes back what would name an export of a package outside, and leaves packages of the worktree their new one", async () => {
    const inside = {
      "package.json": '{ "name": "@own/app" }\n',
      "a.ts": "export const one = 1;\n",
      "b.ts": 'import { one } from "@own/app/a.ts";\nexport const b = [one];\n',
    };
    expect((await rename("one", "uno", inside)).stdout).toContain("Done: one is uno in 2 files");
    const outside = { ...inside, "c.ts": 'import { one as other } from "somewhere";\nexport const c = [other];\n' };
    await rm(path.join(worktree, "RENAMED.md"));
    const { stdout, left } = await rename("one", "uno", outside);
    expect(stdout).toMatch(/^Not finished: 1 modules load no more: c\.ts: /m);
    expect(left).toEqual(outside);
    const named = await rename("somewhere", "elsewhere", outside);
    expect(named.stdout).toMatch(/^Not finished: 1 modules load no more: c\.ts: /m);
    expect(named.left).toEqual(outside);
  });

  test("says of how many changed files it has not loaded", async () => {
    const files = { "a.tsx": "export const one = <b>1</b>;\n", "b.py": "one = 1\n" };
    const without = await rename("one", "uno", files);
    expect(without.stdout).toMatch(/^Done: one is uno in 2 files.*\nNot loaded: 2 of the changed files\.\nRemembered/m);
    await rm(path.join(worktree, "RENAMED.md"));
    const { stdout } = await rename("one", "uno", { ...files, "c.ts": "export const one = 1;\n" });
    expect(stdout).toMatch(/^A program loaded the 1 modules .*\nNot loaded: 2 of the changed files\.\nRemembered/m);
  });

  test("claims no memory of what it could not write", async () => {
    const { stdout } = await rename("load", "__proto__");
    expect(stdout).toContain("Remembered: no. Core memory");
  });

  test("changes nothing where the name is on more lines than it could see, however few of them are its own", async () => {
    const line = 'const $common = "common", common_ = 1;\n';
    const files = { "a.ts": "export const common = 1;\n", "b.txt": line.repeat(1_100) };
    const { stdout, left } = await rename("common", "usual", files);
    expect(stdout).toContain("common stands in 1101 places and is on more lines than one search shows");
    expect(stdout).toContain("I changed nothing.");
    expect(left).toEqual(files);
  });

  test("renames hundreds of lines in one go", async () => {
    const files = Object.fromEntries(
      [1, 2, 3].map((file) => [`${file}.txt`, Array.from({ length: 200 }, (_, at) => `the ${at}\n`).join("")]),
    );
    const { stdout, left } = await rename("the", "thex", files);
    expect(stdout).toContain("Done: the is thex in 3 files");
    const { "RENAMED.md": _, ...rest } = left;
    expect(Object.values(rest).join("")).toBe(Object.values(files).join("").replaceAll("the", "thex"));
  });

  test("does one rename, and says so where it is asked for two", async () => {
    const { stdout, left } = await rename('load" to "obtain". Rename "fetch_', "get");
    expect(stdout).toContain("so I cannot do this");
    expect(stdout).not.toContain("Done:");
    expect(left).toEqual(code);
  });
});

test("the hint at the end of a run says how to go on, and is there only where one can", async () => {
  const sessions = path.join(home, "the sessions");
  const env = { TMPDIR: home };
  const interrupted = { env, interruptAt: /✓ memory opened/ };
  const scratch = await runAgent(["--sessions", sessions], interrupted);
  expect([scratch.code, scratch.stdout.includes("go on with")]).toEqual([130, false]);
  await writeFile(path.join(worktree, "a.txt"), "one\n");
  const half = await runAgent(["--workspace", worktree, "--task", 'Rename "one" to "half"'], {
    env,
    interruptAt: /✓ edit_file/,
  });
  expect([half.code, half.stdout]).toEqual([
    130,
    expect.stringMatching(/\na\.txt stay changed; to take that back: git can, or next time --sessions <dir>\n$/),
  ]);
  await writeFile(path.join(worktree, "a.txt"), "one\n");
  const args = ["--workspace", worktree, "--sessions", sessions, "--memory", path.join(home, "memory")];
  const begun = await runAgent([...args, "--task", 'Rename "one" to "uno"'], interrupted);
  expect(begun.code).toBe(130);
  const [, options = ""] = /^go on with (--resume .*)$/m.exec(begun.stdout) ?? [];
  const words = options.split(/ (?=--)/).flatMap((option) => /^(--\w+) '?(.*?)'?$/.exec(option)?.slice(1) ?? []);
  expect(words).toEqual([
    "--resume",
    expect.any(String),
    "--sessions",
    sessions,
    "--memory",
    path.join(home, "memory"),
  ]);
  const { code, stdout } = await runAgent(words, { env });
  expect([code, stdout]).toEqual([0, expect.stringContaining("Done: one is uno")]);
  expect(await readFile(path.join(worktree, "a.txt"), "utf8")).toBe("uno\n");
});
