import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { NoWorktreeError, worktreeOfRoots } from "./client-root.ts";

const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "client-root-")));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
writeFileSync(path.join(directory, "file"), "");
symlinkSync(directory, path.join(directory, "link"));
symlinkSync("/", path.join(directory, "everything"));
const url = (place: string): string => pathToFileURL(place).href;
const rootsOf = (...uris: readonly string[]): { uri: string }[] => uris.map((uri) => ({ uri }));

describe("worktreeOfRoots()", () => {
  test("is the first root that is a file's URL, links resolved", async () => {
    const roots = rootsOf("https://example.com/", url(path.join(directory, "link")), url(tmpdir()));
    expect(await worktreeOfRoots(roots, undefined)).toBe(directory);
  });

  test.each([
    ["no roots", [], /names no directory/],
    ["no file's URL", ["https://example.com/", "FILE", ""], /names no directory/],
    ["a directory that is not there", [url(path.join(directory, "gone"))], /not a directory here/],
    ["a file", [url(path.join(directory, "file"))], /not a directory here/],
    ["a directory of another machine", ["file://elsewhere/tmp"], /no URL of a directory/],
    ["a slash in disguise", ["file:///tmp%2Fx"], /no URL of a directory/],
    ["no URL at all", ["file:"], /whole file system|no URL/],
    ["the whole file system", ["file:///"], /whole file system/],
    ["a link to it", [url(path.join(directory, "everything"))], /whole file system/],
    ["a name with a zero byte", ["file:///tmp/%00"], /not a directory here/],
  ])("refuses %s", async (_, uris, why) => {
    const refused = worktreeOfRoots(rootsOf(...uris), undefined);
    await expect(refused).rejects.toThrow(NoWorktreeError);
    await expect(refused).rejects.toThrow(why);
    await expect(refused).rejects.not.toThrow(directory);
  });

  test("refuses a directory that holds the memory", async () => {
    for (const memory of [directory, path.join(directory, "memory"), path.join(directory, "link", "memory")]) {
      await expect(worktreeOfRoots(rootsOf(url(directory)), memory)).rejects.toThrow("the memory is kept inside");
    }
    expect(await worktreeOfRoots(rootsOf(url(directory)), `${directory}-memory`)).toBe(directory);
  });
});
