import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { NoWorktree, worktreeOfRoots } from "./client-root.ts";

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "client-root-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(path.join(folder, "file"), "");
symlinkSync(folder, path.join(folder, "link"));
symlinkSync("/", path.join(folder, "everything"));
const url = (place: string): string => pathToFileURL(place).href;
const rootsOf = (...uris: readonly string[]): { uri: string }[] => uris.map((uri) => ({ uri }));

describe("worktreeOfRoots()", () => {
  test("is the first root that is a file's URL, links resolved", async () => {
    const roots = rootsOf("https://example.com/", url(path.join(folder, "link")), url(tmpdir()));
    expect(await worktreeOfRoots(roots, undefined)).toBe(folder);
  });

  test.each([
    ["no roots", [], /names no folder/],
    ["no file's URL", ["https://example.com/", "FILE", ""], /names no folder/],
    ["a folder that is not there", [url(path.join(folder, "gone"))], /not a folder here/],
    ["a file", [url(path.join(folder, "file"))], /not a folder here/],
    ["a folder of another machine", ["file://elsewhere/tmp"], /no URL of a folder/],
    ["a slash in disguise", ["file:///tmp%2Fx"], /no URL of a folder/],
    ["no URL at all", ["file:"], /whole file system|no URL/],
    ["the whole file system", ["file:///"], /whole file system/],
    ["a link to it", [url(path.join(folder, "everything"))], /whole file system/],
    ["a name with a zero byte", ["file:///tmp/%00"], /not a folder here/],
  ])("refuses %s", async (_, uris, why) => {
    const refused = worktreeOfRoots(rootsOf(...uris), undefined);
    await expect(refused).rejects.toThrow(NoWorktree);
    await expect(refused).rejects.toThrow(why);
    await expect(refused).rejects.not.toThrow(folder);
  });

  test("refuses a folder that holds the memory", async () => {
    for (const memory of [folder, path.join(folder, "memory"), path.join(folder, "link", "memory")]) {
      await expect(worktreeOfRoots(rootsOf(url(folder)), memory)).rejects.toThrow("the memory is kept inside");
    }
    expect(await worktreeOfRoots(rootsOf(url(folder)), `${folder}-memory`)).toBe(folder);
  });
});
