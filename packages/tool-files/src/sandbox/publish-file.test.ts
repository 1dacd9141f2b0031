import { execFile, spawnSync } from "node:child_process";
import fs from "node:fs";
import process from "node:process";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { childArguments } from "../../test/child-process.ts";
import { ScheduledWriters } from "../../test/scheduled-writers.ts";
import { makeWorktree, toolsIn } from "../../test/worktree.ts";
import { assertUnchanged, publishFile } from "./atomic-write.ts";
import { KernelDirectory } from "./kernel-directory.ts";
import { openSandbox } from "./open-sandbox.ts";
import { temporaryName } from "./temporary-files.ts";

const run = promisify(execFile);
/** More rounds than in every run. */
const isNightly = process.env["DISPATCH_TEST_SEED"] === "random";

/** Lets the clocks of this process show a later time, as if it had been stopped for so long. */
function stop(milliseconds: number): void {
  const [date, monotonic] = [Date.now.bind(Date), performance.now.bind(performance)];
  const clocks = [
    vi.spyOn(Date, "now").mockImplementation(() => date() + milliseconds),
    vi.spyOn(performance, "now").mockImplementation(() => monotonic() + milliseconds),
  ];
  onTestFinished(() => clocks.forEach((clock) => clock.mockRestore()));
}

/** A directory with a file `a.txt`, and two ways to replace the version it has now. */
function twoWriters() {
  const { root, text } = makeWorktree({ "a.txt": "old" });
  const directory = KernelDirectory.open(root)!;
  onTestFinished(() => directory.close());
  const seen = fs.lstatSync(directory.at("a.txt"), { bigint: true });
  const write = (content: string, meanwhile = () => {}) => {
    const temporary = temporaryName();
    fs.writeFileSync(directory.at(temporary), content);
    try {
      publishFile(directory, temporary, "a.txt", seen, () => {
        assertUnchanged(directory, "a.txt", seen);
        meanwhile();
      });
    } catch (error) {
      fs.rmSync(directory.at(temporary), { force: true });
      throw error;
    }
  };
  return { root, text, write };
}

test("publishFile() lets one of two writers replace a version", () => {
  const { root, text, write } = twoWriters();
  write("first", () => expect(() => write("second")).toThrow("ESTALE"));
  expect(() => write("third")).toThrow("ESTALE");
  expect([text("a.txt"), fs.readdirSync(root)]).toEqual(["first", ["a.txt"]]);
});

test("publishFile() lets a writer be overtaken that was stopped, which then changes nothing", () => {
  const { root, text, write } = twoWriters();
  const stopped = () => {
    stop(2100);
    write("second");
  };
  expect(() => write("first", stopped)).toThrow("ESTALE");
  expect([text("a.txt"), fs.readdirSync(root)]).toEqual(["second", ["a.txt"]]);
});

test("publishFile() is not held up by a directory that has the name of the version", () => {
  const { root, text, write } = twoWriters();
  for (let blocked = 0; blocked < 3; blocked += 1) {
    let lock = "";
    const find = () => {
      lock = fs.readdirSync(root).findLast((name) => name.endsWith(`-${blocked}.lock`))!;
      throw new Error("found");
    };
    expect(() => write("first", find)).toThrow("found");
    fs.rmSync(`${root}/${lock}`);
    fs.mkdirSync(`${root}/${lock}`);
  }
  write("first", () => expect(() => write("second")).toThrow("ESTALE"));
  expect([text("a.txt"), fs.readdirSync(root)]).toEqual([
    "first",
    [expect.any(String), expect.any(String), expect.any(String), "a.txt"],
  ]);
});

test("publishFile() leaves nothing that lasts when its process is killed", async () => {
  const { root, text } = makeWorktree({ "a.txt": "old" });
  const killed = spawnSync(process.execPath, childArguments("die-publishing", root));
  expect([killed.signal, text("a.txt")]).toEqual(["SIGKILL", "old"]);
  expect(fs.readdirSync(root)).toHaveLength(3);
  stop(2100);
  const edits = [{ old_text: "old", new_text: "new" }];
  expect(await toolsIn(root)("edit_file", { path: "a.txt", edits })).toMatchObject({ success: true });
  expect([text("a.txt"), fs.readdirSync(root)]).toEqual(["new", ["a.txt"]]);
});

test("edit_file loses no edit of eight processes", { timeout: 120_000 }, async () => {
  const each = isNightly ? 50 : 20;
  const numbers = Array.from({ length: 8 * each }, (_, number) => number);
  const { root, text } = makeWorktree({ "a.txt": numbers.map((number) => `<${number}>\n`).join("") });
  const failures = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      run(process.execPath, childArguments("edit-many", root, "a.txt", `${index * each}`, `${each}`)),
    ),
  );
  expect(failures.flatMap(({ stdout }) => JSON.parse(stdout) as string[])).toEqual([]);
  expect(text("a.txt")).toBe(numbers.map((number) => `[${number}]\n`).join(""));
  expect(fs.readdirSync(root)).toEqual(["a.txt"]);
});

describe.each([
  { stops: 0.04, kills: 0, seeds: isNightly ? 100 : 30 },
  { stops: 0.02, kills: 0.015, seeds: isNightly ? 50 : 20 },
])("writers stopped and killed at any call ($kills)", ({ stops, kills, seeds }) => {
  test.each(["edit", "move", "delete"] as const)(
    "lose no change of another, and the next writes there remove all they left, one to %s",
    async (first) => {
      const { home } = makeWorktree();
      const writers = await ScheduledWriters.start(home, 3);
      onTestFinished(() => writers.close());
      const schedules = Array.from({ length: seeds }, (_, seed) => writers.run(seed, { first, stops, kills }));
      stop(60_000);
      for (const [seed, { root, wrong }] of schedules.entries()) {
        const left = fs.readdirSync(root).filter((name) => !name.startsWith("."));
        const sandbox = openSandbox(root);
        for (const path of ["other.txt", ...left]) sandbox.writeFile(path, Buffer.from("later"));
        sandbox.close();
        expect([seed, wrong, fs.readdirSync(root).toSorted()]).toEqual([seed, [], [...left, "other.txt"].toSorted()]);
      }
    },
  );
});
