import { expect, test } from "vitest";
import { contentVersion, recallVersion, rememberVersion } from "./content-version.ts";

test("recallVersion() gives back what was remembered in the same worktree, and nothing in another", () => {
  const bytes = Buffer.from("contents");
  const version = rememberVersion("/one", bytes);
  expect(version).toBe(contentVersion(bytes));
  expect(recallVersion("/one", version!)).toEqual(bytes);
  expect(recallVersion("/two", version!)).toBeUndefined();
  expect(recallVersion("/one", "AAAAAAAAAA")).toBeUndefined();
});

test("rememberVersion() keeps 32 MiB, those asked for last", () => {
  const megabytes = Array.from({ length: 40 }, (_, number) => Buffer.alloc(1024 * 1024, number));
  const [first] = megabytes;
  const versions = megabytes.map((bytes) => {
    const version = rememberVersion("/budget", bytes)!;
    recallVersion("/budget", contentVersion(first!)!);
    return version;
  });
  const kept = versions.map((version) => recallVersion("/budget", version) !== undefined);
  expect(kept[0]).toBe(true);
  expect(kept.filter(Boolean)).toHaveLength(32);
  expect(kept.slice(1, 9)).not.toContain(true);
});

test("rememberVersion() keeps a thousand contents, however short", () => {
  const versions = Array.from({ length: 1200 }, (_, number) => rememberVersion("/count", Buffer.from(`${number}`))!);
  expect(versions.filter((version) => recallVersion("/count", version) !== undefined)).toHaveLength(1000);
});

test("rememberVersion() keeps nothing that is too long for a version", () => {
  expect(rememberVersion("/long", Buffer.alloc(9 * 1024 * 1024))).toBeUndefined();
});
