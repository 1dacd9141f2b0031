import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSessionDirectory, findSession, openSessionDirectory, refuseInside } from "./session-directory.ts";

let directory: string;
beforeAll(() => {
  directory = openSessionDirectory(path.join(mkdtempSync(path.join(tmpdir(), "directory-")), "a", "b"));
  for (const name of ["2026-02.jsonl", "2026-10.jsonl", "2026-09.jsonl", "undo", "other.txt"]) {
    writeFileSync(path.join(directory, name), "");
  }
});
afterAll(() => rmSync(path.resolve(directory, "../.."), { recursive: true, force: true }));

describe("the directory of sessions", () => {
  test("is in the user's directory for state, and opened for its owner alone", () => {
    expect(defaultSessionDirectory({ XDG_STATE_HOME: "/state" })).toBe("/state/dispatch-agent/sessions");
    expect(defaultSessionDirectory({})).toMatch(/\/\.local\/state\/dispatch-agent\/sessions$/);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  test("knows its sessions by id, and the latest", () => {
    expect(findSession(directory, "latest")).toBe("2026-10");
    expect(findSession(directory, "2026-02")).toBe("2026-02");
  });

  test.each(["../b/2026-02", "other", "undo", ""])("knows no %j", (id) => {
    expect(() => findSession(directory, id)).toThrow(
      "there is no such session, the latest are 2026-02, 2026-09, 2026-10",
    );
  });

  test.each([
    ["/work", "/work", true],
    ["/work", "/work/.sessions", true],
    ["/work", "/work/..sessions", true],
    ["/work", "/worker", false],
    ["/work/a", "/work", false],
    ["/work", "/home/x", false],
  ])("for work in %s is refused at %s: %j", (workspace, at, refused) => {
    const act = () => refuseInside(workspace, at, "sessions");
    if (refused)
      expect(act).toThrow(`Cannot keep sessions in ${at}: the agent works there, choose a directory outside`);
    else expect(act).not.toThrow();
  });

  test("is refused behind a link too", () => {
    symlinkSync(directory, path.join(directory, "..", "link"));
    const behind = path.join(directory, "..", "link", "new");
    expect(() => refuseInside(directory, behind, "sessions")).toThrow("the agent works there");
  });
});
