import { chownSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary-directory.ts";
import { programIdentity } from "./program-identity.ts";

describe("programIdentity()", () => {
  test("is the host's own unless the host is root", () => {
    expect(programIdentity(undefined, 1_000)).toBeUndefined();
    expect(programIdentity(temporaryDirectory(), 1_000)).toBeUndefined();
  });

  test("is nobody for root without a directory", () => {
    expect(programIdentity(undefined, 0)).toEqual({ uid: 65_534, gid: 65_534 });
  });

  test("is the owner of the directory for root, unless root owns it", ({ skip }) => {
    skip(process.geteuid?.() !== 0, "needs root");
    const directory = temporaryDirectory();
    expect(programIdentity(directory, 0)).toBeUndefined();
    chownSync(directory, 1_234, 1_235);
    expect(programIdentity(directory, 0)).toEqual({ uid: 1_234, gid: 1_235 });
  });
});
