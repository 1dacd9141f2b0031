import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary-directory.ts";
import { DiskWatch } from "./disk-watch.ts";

const MIB = 1024 * 1024;
const piece = Buffer.alloc(MIB, 1);

/** Whether a watch finds more than 4 MiB added by `write`. */
async function isFound(write: (cwd: string) => void): Promise<boolean> {
  const cwd = temporaryDirectory();
  const watch = new DiskWatch({ cwd, directory: undefined, maxBytes: 4 * MIB, onExceeded: () => undefined });
  write(cwd);
  // Others may free space while this adds some: only after a second is it counted in any case.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  return await watch.leftTooMuch();
}

describe("DiskWatch.leftTooMuch()", () => {
  test("counts files, and what is in directories", async () => {
    const write = (count: number) => (cwd: string) => {
      mkdirSync(path.join(cwd, "a/b"), { recursive: true });
      for (let at = 0; at < count; at += 1) writeFileSync(path.join(cwd, "a/b", String(at)), piece);
    };
    expect([await isFound(write(6)), await isFound(write(2))]).toEqual([true, false]);
  });

  test("counts files and directories without contents", async () => {
    expect(await isFound((cwd) => many(1_500, (name) => writeFileSync(path.join(cwd, name), "")))).toBe(true);
    expect(await isFound((cwd) => many(1_500, (name) => mkdirSync(path.join(cwd, name))))).toBe(true);
    expect(await isFound((cwd) => many(300, (name) => writeFileSync(path.join(cwd, name), "")))).toBe(false);
  });

  test("counts what lies too deep for a path", async () => {
    const name = "d".repeat(200);
    const chain = (top: string): string => {
      const place = path.join(top, ...Array.from({ length: 15 }, () => name));
      mkdirSync(place, { recursive: true });
      return place;
    };
    const write = (cwd: string): void => {
      const below = chain(path.join(cwd, "below"));
      many(6, (file) => writeFileSync(path.join(below, file), piece));
      renameSync(path.join(cwd, "below"), path.join(chain(path.join(cwd, "above")), "below"));
    };
    // Other tests may free as much of the shared file system at the same time.
    await expect.poll(() => isFound(write)).toBe(true);
  });

  // Root may look into every directory, so this runs as another user.
  test("counts what is in directories that the host may not read", async ({ skip }) => {
    skip(process.platform !== "linux" || process.geteuid?.() !== 0, "needs Linux, and root to become another user");
    const user = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    const run = () => {
      const cwd = temporaryDirectory();
      chmodSync(cwd, 0o777);
      const module = path.join(import.meta.dirname, "disk-watch.ts");
      const source = stripTypeScriptTypes(readFileSync(module, "utf8"));
      const script = `import fs from "node:fs";
${source}
const watch = new DiskWatch({ cwd: ${JSON.stringify(cwd)}, maxBytes: ${4 * MIB}, onExceeded() {} });
fs.mkdirSync(${JSON.stringify(path.join(cwd, "dark"))}, { mode: 0o300 });
for (let at = 0; at < 6; at += 1) fs.writeFileSync(${JSON.stringify(path.join(cwd, "dark"))} + "/" + at, Buffer.alloc(${MIB}, 1));
await new Promise((resolve) => setTimeout(resolve, 1_100));
console.log(await watch.leftTooMuch());`;
      const args = [...user, process.execPath, "--input-type=module", "-e", script];
      return spawnSync("setpriv", args, { cwd: "/", encoding: "utf8" });
    };
    // Other tests may free as much of the shared file system at the same time.
    await expect.poll(run).toMatchObject({ stdout: "true\n", stderr: "" });
  });
});

function many(count: number, make: (name: string) => void): void {
  for (let at = 0; at < count; at += 1) make(String(at));
}
