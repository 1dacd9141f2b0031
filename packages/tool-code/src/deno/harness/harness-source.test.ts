import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { findDeno } from "../process/deno-binary.ts";
import { importMapUrl } from "./closed-modules.ts";
import { harnessSource, harnessUrl } from "./harness-source.ts";

describe("harnessSource()", () => {
  test("is a module that parses, with two imports", () => {
    expect(harnessSource().match(/^import .*$/gm)).toEqual([
      'import { Worker } from "node:worker_threads";',
      'import * as modules from "harness:modules";',
    ]);
    expect(
      () =>
        // oxlint-disable-next-line typescript/no-implied-eval -- it is parsed and never called
        new Function(
          harnessSource()
            .replaceAll(/^import .*$/gm, "")
            .replaceAll("import(url)", "0"),
        ),
    ).not.toThrow();
  });

  test("holds nothing that a tool which processed this file put there", () => {
    expect(harnessSource()).not.toMatch(/__vi|__vite|__cov|_interop|exports\./);
  });

  test("is short enough for the command line of Windows", () => {
    // Windows accepts 32,767 characters; quotes and preceding backslashes are escaped.
    expect(harnessUrl().replaceAll(/["\\]/g, "\\$&").length).toBeLessThan(28_000);
  });

  test("speaks when it is given a token, and ends when its input does", () => {
    const printed = execFileSync(
      findDeno(),
      ["run", "--quiet", "--no-prompt", `--import-map=${importMapUrl()}`, harnessUrl()],
      {
        input: "TOKEN\n",
        env: { NO_COLOR: "1" },
        encoding: "utf8",
      },
    );
    expect(printed).toMatch(/^TOKEN\{"t":"ready","version":"2\.\d+\.\d+"\}\n$/);
  });
});
