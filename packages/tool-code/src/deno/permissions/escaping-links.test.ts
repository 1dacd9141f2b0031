import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findEscapingLinks, isWithin } from "./escaping-links.ts";

let parent: string;
let root: string;
beforeEach(() => {
  parent = realpathSync(mkdtempSync(path.join(tmpdir(), "links-")));
  root = path.join(parent, "root");
  mkdirSync(path.join(root, "deep/er"), { recursive: true });
  writeFileSync(path.join(parent, "outside.txt"), "");
  writeFileSync(path.join(root, "inside.txt"), "");
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const link = (name: string, target: string): void => symlinkSync(target, path.join(root, name));
const found = async () => (await findEscapingLinks(root)).links;

describe("findEscapingLinks()", () => {
  test("finds nothing in a directory whose links stay inside", async () => {
    link("file", "inside.txt");
    mkdirSync(path.join(root, "directory-of/x"), { recursive: true });
    link("deep/er/up", "../../directory-of/x/inside.txt");
    link("directory", path.join(root, "deep"));
    link("self", ".");
    link("missing", "deep/not-yet.txt");
    expect(await found()).toEqual([]);
  });

  test.each([
    ["a relative target", "../outside.txt"],
    ["an absolute target", "/etc/passwd"],
    ["a directory above", ".."],
    ["a target that does not exist yet", "../not-yet.txt"],
    ["a target in directories that do not exist yet", "../a/b/c"],
    ["a missing target that climbs behind a name", "directory/../../x"],
  ])("finds a link to %s", async (_, target) => {
    link("directory", "deep");
    link("bad", target);
    expect(await found()).toEqual(["bad"]);
  });

  test("finds a link that leaves through another one", async () => {
    link("first", "../outside.txt");
    link("deep/second", path.join(root, "first"));
    expect(await found()).toEqual([path.join("deep", "second"), "first"]);
  });

  test.each([
    ["a directory", "../../directory"],
    ["the directory it is in", "../er"],
    ["the top", "../.."],
    ["a name that goes up later", "../../directory/../deep"],
  ])("finds a link to %s that would lead out from another place", async (_, target) => {
    mkdirSync(path.join(root, "directory"));
    link("deep/er/up", target);
    expect(await found()).toEqual([`${path.join("deep", "er", "up")} (if it were moved)`]);
  });

  test("passes over a link that from no place would lead to a directory outside", async () => {
    mkdirSync(path.join(root, "modules/tool/bin"), { recursive: true });
    mkdirSync(path.join(root, "modules/.bin"), { recursive: true });
    link("modules/.bin/tool", "../tool/bin/tool.js");
    expect(await found()).toEqual([]);
    mkdirSync(path.join(parent, "tool/bin"), { recursive: true });
    expect(await found()).toEqual([`${path.join("modules", ".bin", "tool")} (if it were moved)`]);
  });

  test("is not fooled by a directory whose name begins like the root", async () => {
    mkdirSync(`${root}-other`);
    link("bad", `${root}-other`);
    expect(await found()).toEqual(["bad"]);
  });

  test("lists at most 20 and counts all", async () => {
    for (let number = 0; number < 30; number += 1) link(`bad${number}`, "..");
    const { links, count } = await findEscapingLinks(root);
    expect([links.length, count]).toEqual([20, 30]);
  });

  test("passes over a circle, which leads nowhere", async () => {
    link("a", "b");
    link("b", "a");
    expect(await found()).toEqual([]);
  });
});

describe("findEscapingLinks() of a directory that cannot be read", () => {
  const asNobody = (script: string): string =>
    execFileSync(
      "/usr/bin/env",
      [
        "setpriv",
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        process.execPath,
        "--input-type=module",
        "-e",
        script,
      ],
      { encoding: "utf8", cwd: "/" },
    );
  // As root nothing is out of reach, so the search runs as another user, who owns the directory.
  const isRoot = process.geteuid?.() === 0;

  test("makes it readable, for a program could do so", ({ skip }) => {
    skip(!isRoot || process.platform !== "linux", "needs Linux, and root to become another user");
    const own = realpathSync(mkdtempSync("/tmp/links-of-nobody-"));
    try {
      mkdirSync(path.join(own, "shut"));
      symlinkSync("/etc/passwd", path.join(own, "shut/link"));
      mkdirSync(path.join(own, "foreign"));
      for (const place of ["", "shut"]) chownSync(path.join(own, place), 65534, 65534);
      chmodSync(path.join(own, "shut"), 0);
      chmodSync(path.join(own, "foreign"), 0);
      const module = path.join(import.meta.dirname, "escaping-links.ts");
      const source = stripTypeScriptTypes(readFileSync(module, "utf8"));
      const script = `${source}\nconsole.log(JSON.stringify(await findEscapingLinks(${JSON.stringify(own)})));`;
      expect(JSON.parse(asNobody(script))).toEqual({ links: ["shut/link"], count: 1, isPartial: false });
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  });

  test("says that it is partial where directories are too deep for a path", async () => {
    const name = "d".repeat(200);
    const chain = (top: string): string => {
      const place = path.join(root, top, ...Array.from({ length: 15 }, () => name));
      mkdirSync(place, { recursive: true });
      return place;
    };
    symlinkSync("/etc/passwd", path.join(chain("below"), "link"));
    renameSync(path.join(root, "below"), path.join(chain("above"), "below"));
    expect(await findEscapingLinks(root)).toMatchObject({ count: 0, isPartial: true });
    // Node removes nothing below such a path.
    execFileSync("rm", ["-r", root]);
  });

  test("stops when it is cancelled, and after so many entries", async () => {
    for (let number = 0; number < 30; number += 1) writeFileSync(path.join(root, `file${number}`), "");
    expect((await findEscapingLinks(root, { maxEntries: 10 })).isPartial).toBe(true);
    expect((await findEscapingLinks(root, { maxEntries: 100 })).isPartial).toBe(false);
    await expect(findEscapingLinks(root, { signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow("no");
  });
});

describe("isWithin()", () => {
  test("knows a directory, what is in it, and what is not", () => {
    expect([
      isWithin("/a", "/a"),
      isWithin("/a", "/a/..b"),
      isWithin("/a", "/ab"),
      isWithin("/a", "/"),
      isWithin("/a", undefined),
    ]).toEqual([true, true, false, false, false]);
  });
});
