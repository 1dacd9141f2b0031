import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSessionFolder, findSession, openSessionFolder, refuseInside } from "./session-directory.ts";

let folder: string;
beforeAll(() => {
  folder = openSessionFolder(path.join(mkdtempSync(path.join(tmpdir(), "folder-")), "a", "b"));
  for (const name of ["2026-02.jsonl", "2026-10.jsonl", "2026-09.jsonl", "undo", "other.txt"]) {
    writeFileSync(path.join(folder, name), "");
  }
});
afterAll(() => rmSync(path.resolve(folder, "../.."), { recursive: true, force: true }));

describe("the folder of sessions", () => {
  test("is in the user's folder for state, and opened for its owner alone", () => {
    expect(defaultSessionFolder({ XDG_STATE_HOME: "/state" })).toBe("/state/dispatch-agent/sessions");
    expect(defaultSessionFolder({})).toMatch(/\/\.local\/state\/dispatch-agent\/sessions$/);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test("knows its sessions by id, and the latest", () => {
    expect(findSession(folder, "latest")).toBe("2026-10");
    expect(findSession(folder, "2026-02")).toBe("2026-02");
  });

  test.each(["../b/2026-02", "other", "undo", ""])("knows no %j", (id) => {
    expect(() => findSession(folder, id)).toThrow("there is no such session, the latest are 2026-02, 2026-09, 2026-10");
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
    if (refused) expect(act).toThrow(`Cannot keep sessions in ${at}: the agent works there, choose a folder outside`);
    else expect(act).not.toThrow();
  });

  test("is refused behind a link too", () => {
    symlinkSync(folder, path.join(folder, "..", "link"));
    const behind = path.join(folder, "..", "link", "new");
    expect(() => refuseInside(folder, behind, "sessions")).toThrow("the agent works there");
  });
});
