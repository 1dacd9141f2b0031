import { accessSync, constants } from "node:fs";
import { describe, expect, test } from "vitest";
import { DenoNotFoundError, findDeno } from "./deno-binary.ts";

describe("findDeno()", () => {
  test("finds the executable of the installed package", () => {
    const file = findDeno();
    expect(() => accessSync(file, constants.X_OK)).not.toThrow();
    expect(findDeno({ denoPath: file })).toBe(file);
  });

  test.each([
    ["the system has musl", { platform: "linux", arch: "x64", glibc: false }, /needs glibc.*Alpine/],
    [
      "there is no package for the platform",
      { platform: "sunos", arch: "x64", glibc: true },
      /no package of it for sunos-x64, set denoPath/,
    ],
    [
      "the package is not installed",
      { platform: "win32", arch: "arm64", glibc: true },
      /@deno\/win32-arm64 is not installed/,
    ],
    ["denoPath names nothing", { denoPath: "/nowhere/deno" }, /denoPath names no file/],
    ["denoPath is relative", { denoPath: "deno" }, /denoPath names no file/],
  ])("explains itself when %s", (_, options, message) => {
    expect(() => findDeno(options)).toThrow(DenoNotFoundError);
    expect(() => findDeno(options)).toThrow(message);
  });
});
