import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { attackCases, plantSecrets, type AttackCase, type AttackSubject, type PlantedSecrets } from "@dispatch/check";
import { afterAll, beforeAll, describe, expect, test, type TestContext } from "vitest";
import { bubblewrap, DenoRuntime, type WrapCommand, type WrapAccess } from "../src/deno/index.ts";
import { denoSubject } from "./deno-subject.ts";
import { processesIn } from "./processes-in.ts";
import { noTools, temporaryDirectory } from "./sandbox.ts";
import { WeakRuntime } from "./weak-runtime.ts";

/** Some systems have `bwrap` and allow it nothing. */
const NO_BWRAP = "bwrap is not installed, or allowed nothing";
const works = spawnSync("/usr/bin/bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"]).status === 0;

let secrets: PlantedSecrets;
beforeAll(async () => {
  secrets = await plantSecrets();
});
afterAll(() => secrets.close());

describe("DenoRuntime with a wrap", () => {
  test("runs what the wrap returns, and gives it the access", async () => {
    const asked: WrapAccess[] = [];
    const wrap: WrapCommand = (command, args, access) => {
      asked.push(access);
      return ["/usr/bin/env", ["WRAPPED=1", command, ...args]];
    };
    const cwd = temporaryDirectory();
    const tempDir = temporaryDirectory();
    const runtime = new DenoRuntime({ cwd, tempDir, allowedHosts: ["a.example:443"], prewarm: 0, wrap });
    const { value } = await runtime.execute({ code: "1 + 1", callTool: noTools });
    await runtime.close();
    expect([value, asked]).toEqual([
      2,
      [{ cwd, readOnly: false, network: true, directory: expect.stringContaining(tempDir) }],
    ]);
  });

  test("sees the memory of what a wrap has started, and ends it", async () => {
    const wrap: WrapCommand = (command, args) => ["/bin/sh", ["-c", '"$0" "$@"; exit', command, ...args]];
    const tempDir = temporaryDirectory();
    const runtime = new DenoRuntime({ tempDir, prewarm: 0, wrap });
    const { error } = await runtime.execute({
      code: "const a = []; while (true) a.push(new Uint8Array(4_000_000).fill(1));",
      callTool: noTools,
      limits: { rssMb: 192, wallMs: 10_000 },
    });
    await runtime.close();
    expect(error?.kind).toBe("memory");
    await expect.poll(() => processesIn(tempDir)).toEqual([]);
  });
});

describe("bubblewrap()", () => {
  test("says so when there is none", () => {
    const { PATH } = process.env;
    try {
      process.env["PATH"] = "";
      if (existsSync("/usr/bin/bwrap")) expect(bubblewrap()("x", [], accessOf({}))[0]).toBe("/usr/bin/bwrap");
      else expect(() => bubblewrap()).toThrow("bwrap was not found in PATH");
    } finally {
      process.env["PATH"] = PATH;
    }
  });

  test("grants what the program is granted, and no network without hosts", () => {
    const args = (access: Partial<WrapAccess>): string =>
      bubblewrap("/b")("/d", ["run"], accessOf(access))[1].join(" ");
    expect(args({})).toMatch(/--unshare-net .*--bind \/f \/f -- \/d run$/);
    expect(args({ cwd: "/w" })).toContain("--bind /w /w");
    expect(args({ cwd: "/w", readOnly: true })).toContain("--ro-bind /w /w");
    expect(args({ network: true })).not.toContain("--unshare-net");
  });

  test("lets programs run, and ends with them", async ({ skip }) => {
    if (!works) skip(NO_BWRAP);
    const cwd = temporaryDirectory();
    const runtime = new DenoRuntime({ cwd, tempDir: temporaryDirectory(), wrap: bubblewrap() });
    const code = "Deno.writeTextFileSync('a', 'b'); return [Deno.readTextFileSync('a'), Deno.pid < 10];";
    expect((await runtime.execute({ code, callTool: noTools })).value).toEqual(["b", true]);
    const endless = await runtime.execute({ code: "while (true) {}", callTool: noTools, limits: { wallMs: 200 } });
    expect(endless.error?.kind).toBe("timeout");
    await runtime.close();
  });

  const topic = (name: string) => attackCases.filter((attack) => attack.topic === name);

  const assertHeld = (run: AttackCase["run"], { skip }: TestContext, subject: () => AttackSubject): Promise<void> =>
    works ? run(subject()) : skip(NO_BWRAP);

  test.for(topic("links"))("holds where links lead out: $name", ({ run }, context) =>
    assertHeld(run, context, () => denoSubject(secrets, { allowEscapingLinks: true, wrap: bubblewrap() })),
  );

  /** Attacks on resources that the kernel protects, even if the runtime allows them. */
  const kernel = [
    ...topic("reading").filter(({ name }) => name === "every way in a function body"),
    ...topic("writing").filter(({ name }) => !/its own directory, although|without a directory/.test(name)),
    ...topic("links"),
    ...topic("network").filter(({ name }) => name.startsWith("this machine by")),
  ];
  test.for(kernel)("holds alone, with all of Deno's permissions: $topic, $name", ({ run }, context) =>
    assertHeld(run, context, () => {
      const wrap = bubblewrap();
      return {
        name: "Deno with every right in bubblewrap",
        secrets,
        open: (options) =>
          new WeakRuntime(options, ["-A", "--unstable-raw-imports"], (command, args, directory) =>
            wrap(command, args, accessOf({ ...options, directory })),
          ),
      };
    }),
  );
});

function accessOf(access: Partial<WrapAccess>): WrapAccess {
  return { directory: "/f", cwd: undefined, readOnly: false, network: false, ...access };
}
