import fs from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeWorktree, snapshot } from "../../test/worktree.ts";
import { FilesError, SandboxError } from "../error/files-error.ts";
import { openSandbox } from "./open-sandbox.ts";
import type { SandboxStrength } from "./sandbox-hooks.ts";
import type { Sandbox } from "./sandbox.ts";

const strengths: readonly SandboxStrength[] = process.platform === "linux" ? ["kernel", "verified"] : ["verified"];

const step = fc.constantFrom("a", "b", "l", "m", "..", ".", "", "root", "root-evil", "secret.txt", "f");
const spelling = fc.array(step, { minLength: 1, maxLength: 7 }).map((steps) => steps.join("/") || ".");
/** The place of a link, and its target; `@` is the directory that holds the worktree and its neighbour. */
const link = fc.record({
  at: fc.constantFrom("l", "m", "a/l", "a/m", "a/b/l", "b/m"),
  to: fc.oneof(
    spelling,
    spelling.map((path) => `@/root/${path}`),
    spelling.map((path) => `@/root-evil/${path}`),
  ),
});

/** The oracle: the system's own result for a path. */
function systemFinds(path: string): string | undefined {
  try {
    return fs.realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function attempt<T>(act: () => T): T | FilesError {
  try {
    return act();
  } catch (error) {
    if (error instanceof FilesError) return error;
    throw error;
  }
}

function readThrough(sandbox: Sandbox, path: string): string | FilesError {
  return attempt(() => {
    const file = sandbox.openFile(path);
    try {
      return fs.readFileSync(file.fd, "utf8");
    } finally {
      file.close();
    }
  });
}

test.each(strengths)(
  "a %s sandbox finds what the system finds if it is inside, and nothing else",
  (strength) => {
    const worktree = makeWorktree();
    const { root, home, outside } = worktree;
    fc.assert(
      fc.property(
        fc.array(link, { maxLength: 4 }),
        fc.array(spelling, { minLength: 1, maxLength: 6 }),
        (links, paths) => {
          fs.rmSync(root, { recursive: true });
          for (const file of ["a/f", "a/b/f", "b/f", "f", "a/secret.txt"]) {
            fs.mkdirSync(dirname(join(root, file)), { recursive: true });
            fs.writeFileSync(join(root, file), join(root, file));
          }
          for (const { at, to } of links) attemptLink(to.replace("@", home), join(root, at));
          const before = snapshot(outside);
          const sandbox = openSandbox(root, { strength });
          try {
            for (const path of paths) {
              const found = systemFinds(`${root}/${path}`);
              const inside = found !== undefined && (found === root || found.startsWith(`${root}/`));
              const read = readThrough(sandbox, path);
              // Every file holds its own path, those outside something else.
              if (typeof read === "string") expect([path, read]).toEqual([path, found]);
              const resolved = attempt(() => sandbox.resolvePath(path));
              if (found !== undefined && !inside) expect(resolved, path).toBeInstanceOf(SandboxError);
              if (typeof resolved === "string" && found !== undefined) expect(resolved).toBe(found);
              // A way that leaves the worktree and comes back is refused too, any other way in is open.
              if (inside && !(resolved instanceof SandboxError)) expect(resolved, path).toBe(found);
              expect(sandbox.kindOf(path) !== undefined).toBe(typeof resolved === "string" && inside);
              const wrote = attempt(() => sandbox.writeFile(path, Buffer.from("")));
              if (!(wrote instanceof Error)) {
                const place = join(root, wrote.path);
                expect(systemFinds(place)).toBe(place);
                fs.writeFileSync(place, place);
              }
            }
          } finally {
            sandbox.close();
          }
          expect(snapshot(outside)).toEqual(before);
          expect(fs.readdirSync(home).toSorted()).toEqual(["root", "root-evil"]);
        },
      ),
    );
  },
  120_000,
);

function attemptLink(target: string, path: string): void {
  try {
    fs.symlinkSync(target, path);
  } catch {
    // Two links of one name: the first stays.
  }
}
