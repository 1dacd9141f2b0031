import { describe, expect, test } from "vitest";
import { networkAccess } from "../permissions/allowed-host.ts";
import { denoArguments, denoEnvironment } from "./deno-command.ts";

const rights = (args: readonly string[]): readonly string[] =>
  args.filter((arg) => /^(?:--allow|-A|-[RWNESI]|--deny-(?:read|write|net))/.test(arg));

describe("denoArguments()", () => {
  test("grants nothing when nothing is asked for", () => {
    const args = denoArguments({ cwd: undefined, readOnly: false, network: networkAccess([]) }, 64);
    expect(rights(args)).toEqual(["--deny-read", "--deny-write", "--deny-net"]);
    for (const flag of [
      "--no-prompt",
      "--no-config",
      "--no-lock",
      "--no-remote",
      "--no-npm",
      "--cached-only",
      "--deny-import",
      "--deny-run",
      "--deny-env",
      "--deny-ffi",
      "--deny-sys",
    ]) {
      expect(args).toContain(flag);
    }
    expect(args).toContain("--v8-flags=--max-old-space-size=64");
    expect(args.at(-1)).toMatch(/^data:application\/javascript,/);
  });

  test("grants one directory, to read and write or to read", () => {
    const network = networkAccess([]);
    expect(rights(denoArguments({ cwd: "/a b", readOnly: false, network }, 1))).toEqual([
      "--allow-read=/a b",
      "--allow-write=/a b",
      "--deny-net",
    ]);
    expect(rights(denoArguments({ cwd: "/a b", readOnly: true, network }, 1))).toEqual([
      "--allow-read=/a b",
      "--deny-write",
      "--deny-net",
    ]);
  });

  test("grants hosts, and denies private addresses beside them", () => {
    const found = rights(
      denoArguments({ cwd: undefined, readOnly: false, network: networkAccess(["a.example", "b.example:443"]) }, 1),
    );
    expect(found).toEqual([
      "--deny-read",
      "--deny-write",
      "--allow-net=a.example,b.example:443",
      expect.stringMatching(/^--deny-net=.*127\.0\.0\.0\/8.*169\.254\.0\.0\/16/),
    ]);
  });
});

describe("denoEnvironment()", () => {
  test("holds nothing of the host's environment", ({ onTestFinished }) => {
    process.env["CODE_TEST_INHERITED"] = "1";
    onTestFinished(() => void delete process.env["CODE_TEST_INHERITED"]);
    expect(Object.keys(denoEnvironment("/x", "linux")).toSorted()).toEqual([
      "DENO_DIR",
      "DENO_NO_PACKAGE_JSON",
      "DENO_NO_UPDATE_CHECK",
      "HOME",
      "NO_COLOR",
      "RES_OPTIONS",
    ]);
  });

  test("keeps names from resolving to IPv6, which Deno cannot deny by range", () => {
    expect(denoEnvironment("/x")["RES_OPTIONS"]).toBe("no-aaaa");
  });
});
