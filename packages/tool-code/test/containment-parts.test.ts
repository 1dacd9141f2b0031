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
  return printedBy(["--mount", "sh", "-c", script]);
}

/** Runs the host by way of `unshare`. */
function printedBy(args: readonly string[]): readonly Record<string, unknown>[] {
  return spawnSync("unshare", [...args, process.execPath, ...hostArguments(HOST)], { encoding: "utf8" })
    .stdout.trim()
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
    ["perl", ["limits"], /namespaces and filter: .*perl-base/, "namespaces made by Perl: it ended with status 1"],
    ["prlimit", ["namespaces", "filter"], /limits: .*util-linux/, "limits of the kernel, set by setpriv and prlimit"],
    ["setpriv", ["namespaces", "filter"], /limits: .*util-linux/, "limits of the kernel, set by setpriv and prlimit"],
  ])("without %s", (tool, parts, how, why) => {
    expectPart(hostWithout([tool]), parts, how, why);
  });

  test("that may make no user namespace", () => {
    // An ordinary user, in a user namespace that may hold this one and no further one.
    const script = `echo 1 >/proc/sys/user/max_user_namespaces; exec unshare --user --map-user=1000 --map-group=1000 "$0" "$@"`;
    const why = "namespaces made by Perl: the kernel refuses to make namespaces: No space left on device";
    const found = printedBy([
      "--user",
      "--map-root-user",
      "--mount",
      "sh",
      "-c",
      `mount --bind /dev/null /usr/bin/bwrap 2>/dev/null; ${script}`,
    ]);
    expectPart(found, ["limits"], /namespaces and filter: in a container, run it with/, why);
  });
});

/** A host has only these parts; it reads why, and how to get the others, in its warning and in the error of `required`. */
function expectPart(
  [report, required, warning]: readonly Record<string, unknown>[],
  parts: readonly string[],
  how: RegExp,
  why: string,
): void {
  expect(report).toEqual({ parts, advice: [expect.stringMatching(how)] });
  expect(required).toEqual({ code: "no_kernel_wall", message: expect.stringMatching(how) });
  for (const part of [why, "needed are namespaces, filter and limits"]) expect(required?.["message"]).toContain(part);
  expect(warning).toEqual({
    code: parts.includes("namespaces") ? "DISPATCH_PARTIAL_WALL" : "DISPATCH_NO_KERNEL_WALL",
    detail: expect.stringMatching(how),
  });
  expect(warning?.["detail"]).toContain(why);
}
