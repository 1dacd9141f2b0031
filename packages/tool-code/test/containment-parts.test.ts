import { spawnSync } from "node:child_process";
import { beforeEach, describe, expect, test } from "vitest";
import { DenoRuntime } from "../src/deno/index.ts";
import { hostArguments } from "./host-process.ts";

/** A host prints the parts that hold with the advice, the error of `required`, and its warnings. */
const HOST = `process.on("warning", ({ code, detail }) => console.log(JSON.stringify({ code, detail })));
const runtime = new DenoRuntime({ prewarm: 0 });
const { parts, advice } = runtime.describeContainment();
console.log(JSON.stringify({ parts, advice }));
try { new DenoRuntime({ prewarm: 0, containment: "required" }); console.log("{}"); }
catch ({ code, message }) { console.log(JSON.stringify({ code, message })); }
await runtime.close();`;

/** Runs the host where tools of the system do nothing but fail. */
function hostWithout(tools: readonly string[]): readonly Record<string, unknown>[] {
  const over = (file: string, tool: string): string =>
    `if tool=$(command -v ${tool}); then mount --bind ${file} "$tool"; fi`;
  // bubblewrap, where it is installed, would stand in for the others: nothing can be executed there.
  const hide = [
    ...tools.map((tool) => over("/bin/false", tool)),
    ...(tools.length > 0 ? [over("/dev/null", "bwrap")] : []),
  ].join("; ");
  const script = `export PATH=/usr/bin:/bin; ${hide === "" ? ":" : hide}; exec "$0" "$@"`;
  const args = ["--mount", "sh", "-c", script, process.execPath, ...hostArguments(HOST)];
  const { stdout } = spawnSync("unshare", args, { encoding: "utf8" });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("a host", () => {
  beforeEach(({ skip }) => {
    const isRoot = process.geteuid?.() === 0;
    const runtime = new DenoRuntime({ prewarm: 0, onContainment: () => undefined });
    const isWhole = runtime.describeContainment().parts.length === 3;
    const hides = spawnSync("unshare", ["--mount", "mount", "--bind", "/bin/false", "/bin/false"]).status === 0;
    skip(!isRoot || !isWhole || !hides, "tools can be hidden by root on Linux only, where there is a whole wall");
  });

  test("has all parts of the containment, or knows which, how to get the rest, and is warned", () => {
    const [report, required, ...warnings] = hostWithout([]);
    expect([report, required, warnings]).toEqual([{ parts: ["namespaces", "filter", "limits"], advice: [] }, {}, []]);
  });

  test.each([
    ["perl", ["namespaces", "limits"], /perl-base/],
    ["prlimit", ["namespaces", "filter"], /util-linux/],
    ["unshare", ["limits"], /namespaces: .*bubblewrap/],
  ])("without %s", (tool, parts, how) => {
    const [report, required, warning] = hostWithout([tool]);
    expect(report).toEqual({ parts, advice: expect.arrayContaining([expect.stringMatching(how)]) });
    expect(required).toEqual({ code: "no_kernel_wall", message: expect.stringMatching(how) });
    expect(required?.["message"]).toContain("needed are namespaces, filter and limits");
    expect(String(required?.["message"])).not.toContain("dmesg");
    expect(warning).toEqual({
      code: tool === "unshare" ? "DISPATCH_NO_KERNEL_WALL" : "DISPATCH_PARTIAL_WALL",
      detail: expect.stringMatching(how),
    });
  });
});
