import { existsSync, realpathSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { findDeno } from "../process/deno-binary.ts";
import { sharedLibraries } from "./shared-libraries.ts";

describe("sharedLibraries()", () => {
  beforeEach((context) => {
    if (!existsSync("/usr/bin/ldd")) context.skip("ldd is not installed");
  });
  const [deno, shell] = [findDeno(), realpathSync("/bin/sh")];

  test("lists those of several executables at once, as of each alone", () => {
    const together = sharedLibraries([deno, shell]);
    expect(together).toEqual([...sharedLibraries([deno]), ...sharedLibraries([shell])]);
    for (const { files, loader } of together) {
      expect(files).toContain(loader);
      expect(files.filter((file) => !existsSync(file))).toEqual([]);
    }
  });

  test("fails for a file that is not there, and says of another that it needs none", () => {
    expect(() => sharedLibraries([deno, "/bin/nothing"])).toThrow(/ldd lists none/);
    expect(sharedLibraries([import.meta.filename])).toEqual([{ files: [], loader: undefined }]);
  });
});
