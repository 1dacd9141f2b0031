import { existsSync, realpathSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { sharedLibraries } from "./shared-libraries.ts";

describe("sharedLibraries()", () => {
  beforeEach((context) => {
    if (!existsSync("/usr/bin/ldd")) context.skip("ldd is not installed");
  });
  test("lists those of an executable, with the loader and its cache", () => {
    for (const executable of [process.execPath, realpathSync("/bin/sh")]) {
      const files = sharedLibraries(executable);
      expect(files).toEqual(
        expect.arrayContaining([expect.stringMatching(/\/libc\.so/), expect.stringMatching(/\/ld-linux[^/]*$/)]),
      );
      expect(files.includes("/etc/ld.so.cache")).toBe(existsSync("/etc/ld.so.cache"));
      expect(files.filter((file) => !existsSync(file))).toEqual([]);
    }
  });

  test("fails for a file that is not there, and says of another that it needs none", () => {
    expect(() => sharedLibraries("/bin/nothing")).toThrow(/ldd lists none/);
    expect(sharedLibraries(import.meta.filename)).toEqual([]);
  });
});
