import { spawnSync } from "node:child_process";
import { chownSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import path from "node:path";
import { plantSecrets, type PlantedSecrets } from "@dispatch/check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { heldBytes } from "../src/process/held-bytes.ts";
import { innermostProcess } from "../src/process/process-usage.ts";
import type { Wall } from "../src/wall/wall.ts";
import {
  bubblewrapFor,
  compileAttempts,
  unfilteredFor,
  printedBy,
  printedForUser,
  processesOf,
  startAndEnd,
  wallFor,
} from "./native-program.ts";
import { directoryOfUser, userCanRun } from "./ordinary-user.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** A program with every permission in Deno's place: shows what containment holds after the engine has fallen. */
const program = compileAttempts();
const NO_WALL = "the system allows no wall of this kind";
const abstract = `dispatch-attack-${process.pid}`;
let secrets: PlantedSecrets;
let server: Server;
beforeAll(async () => {
  secrets = await plantSecrets();
  server = createServer((connection) => connection.on("error", () => undefined).end());
  if (process.platform === "linux") await new Promise<void>((resolve) => server.listen(`\0${abstract}`, resolve));
});
afterAll(async () => {
  await secrets.close();
  server.close();
});

const attempts = (mode: string, cwd: string | undefined, from: PlantedSecrets = secrets): readonly string[] => [
  mode,
  path.join(from.directory, "secret.txt"),
  from.directory,
  String(from.port),
  from.socket,
  abstract,
  String(from.bystander),
  cwd ?? "-",
  from.value.split("").toReversed().join(""),
];

const succeeded = (printed: string, filtered: boolean): readonly string[] =>
  printed
    .trim()
    .split("\n")
    .filter((name) => filtered || !name.startsWith("filtered: "));

describe("a native program in the place of Deno", () => {
  const native = program ?? "";
  beforeEach((context) => {
    if (program === undefined) context.skip("there is no C compiler, or no Linux");
  });

  test("gets nearly everything without a wall", async () => {
    // Its own: signals that reach it may arrive late.
    const open = await plantSecrets();
    const args = attempts("reach", undefined, open);
    const printed = await printedBy({ wall: undefined, program: native, args });
    await open.close();
    for (const name of [
      "read the file",
      "list the directory",
      "write the file",
      "read the environment of a process",
      "find the secret in /proc",
      "signal a process",
      "connect by IPv4",
      "connect to a socket file",
      "connect to an abstract socket",
    ])
      expect(printed.split("\n")).toContain(name);
  });

  test.for(["none", "its own", "another user's"])(
    "gets nothing in the wall, with a working directory: %s",
    async (kind, context) => {
      const cwd = kind === "none" ? undefined : temporaryDirectory();
      if (cwd !== undefined && kind === "another user's" && process.geteuid?.() === 0) chownSync(cwd, 4_321, 4_321);
      const wall = wallFor(native, cwd);
      if (wall === undefined) return context.skip(NO_WALL);
      const printed = await printedBy({ wall, program: native, args: attempts("all", cwd), cwd });
      expect(succeeded(printed, true)).toEqual(["done"]);
      expect(secrets.violations()).toEqual([]);
    },
  );

  test.for(["none", "its own"])(
    "gets nothing in the wall of an ordinary user's host, with a working directory: %s",
    async (kind, context) => {
      const cwd = kind === "none" ? undefined : directoryOfUser();
      if (!userCanRun() || wallFor(native, undefined) === undefined) return context.skip(NO_WALL);
      const printed = await printedForUser({ program: native, args: attempts("all", cwd), cwd });
      expect(succeeded(printed, true)).toEqual(["done"]);
      expect(secrets.violations()).toEqual([]);
    },
  );

  test.for(["none", "its own"])("gets little without a filter, with a working directory: %s", async (kind, context) => {
    const cwd = kind === "none" ? undefined : temporaryDirectory();
    const wall = unfilteredFor(native, cwd);
    if (wall === undefined) return context.skip(NO_WALL);
    const printed = await printedBy({ wall, program: native, args: attempts("all", cwd), cwd });
    expect(succeeded(printed, false)).toEqual(["done"]);
    expect(secrets.violations()).toEqual([]);
  });

  test.for(["none", "its own"])("gets nothing in bubblewrap, with a working directory: %s", async (kind, context) => {
    const cwd = kind === "none" ? undefined : temporaryDirectory();
    // It holds no program of root's.
    if (cwd !== undefined && process.geteuid?.() === 0) chownSync(cwd, 4_321, 4_321);
    const wall = bubblewrapFor(native, cwd);
    if (wall === undefined) return context.skip("bwrap is not installed, or allowed nothing");
    const printed = await printedBy({ wall, program: native, args: attempts("all", cwd), cwd });
    expect(succeeded(printed, true)).toEqual(["done"]);
    expect(secrets.violations()).toEqual([]);
    await startAndEnd({ wall, program: native, args: ["stay", `b${process.pid}`] }, "runtime");
    await expect.poll(() => processesOf(`/bin/program.stay.b${process.pid}`)).toBe("");
  });

  test("writes in its working directory, unless it is read-only", async (context) => {
    const wall = wallFor("/usr/bin/touch", undefined);
    if (wall === undefined) return context.skip(NO_WALL);
    const cwd = temporaryDirectory();
    for (const readOnly of [true, false]) {
      const file = path.join(cwd, "made");
      const walled = wallFor("/usr/bin/touch", cwd);
      const printed = await printedBy({ wall: walled, program: "/usr/bin/touch", args: [file], cwd, readOnly });
      expect(printed).toMatch(readOnly ? /Read-only file system/ : /^$/);
    }
  });

  test("writes no mount in its working directory that is read-only, nor any where the directory is", async (context) => {
    const places = ["sub", "ro"].map((name) => `"$0/${name}"`);
    const script = `set -e; mkdir ${places.join(" ")}; mount -t tmpfs -o mode=777,noexec none ${places[0]}; mount -t tmpfs none ${places[1]}; mount -o remount,bind,ro ${places[1]}; exec "$@"`;
    for (const readOnly of [true, false]) {
      const cwd = directoryOfUser();
      const inside = ["unshare", "--mount", "sh", "-c", script, cwd];
      if (spawnSync("unshare", ["--mount", "true"]).status !== 0) return context.skip("the host is not root");
      if (!userCanRun() || wallFor(native, undefined) === undefined) return context.skip(NO_WALL);
      const args = ["sub", "ro"].map((name) => path.join(cwd, name, "made"));
      const printed = await printedForUser({ program: "/usr/bin/touch", args, cwd, readOnly }, inside);
      expect([...printed.matchAll(/(\w+)\/made.*Read-only file system/g)].map(([, name]) => name)).toEqual(
        readOnly ? ["sub", "ro"] : ["ro"],
      );
    }
  });

  test("is not root to what others own in root's working directory", async (context) => {
    if (process.geteuid?.() !== 0) return context.skip("the host is not root");
    const cwd = temporaryDirectory();
    const files = [0, 4_321].map((owner) => path.join(cwd, `of-${owner}`));
    for (const [at, file] of files.entries()) {
      writeFileSync(file, "text", { mode: 0o600 });
      if (at === 1) chownSync(file, 4_321, 4_321);
    }
    const wall = wallFor("/usr/bin/cat", cwd);
    if (wall === undefined) return context.skip(NO_WALL);
    const printed = await printedBy({ wall, program: "/usr/bin/cat", args: files, cwd });
    expect(printed).toMatch(/^text.*of-4321: Permission denied/s);
  });

  test("starts no more processes than the wall lets it", async (context) => {
    const wall = wallFor(native, undefined);
    if (wall === undefined) return context.skip(NO_WALL);
    const started = async (within: Wall): Promise<number> =>
      Number(/^(\d+) processes$/m.exec(await printedBy({ wall: within, program: native, args: ["bomb"] }))?.[1]);
    expect(await started(wall)).toBe(0);
    const unfiltered = unfilteredFor(native, undefined);
    if (unfiltered !== undefined) expect(await started(unfiltered)).toBeLessThanOrEqual(301);
  });

  test.for(["pipes", "sockets", "files"])("holds no more in %s than is counted", async (kind, context) => {
    const wall = wallFor(native, undefined);
    if (wall === undefined) return context.skip(NO_WALL);
    const directory = temporaryDirectory();
    const args = ["hold", kind === "files" ? directory : kind];
    await startAndEnd({ wall, program: native, args, directory }, "runtime", (pid, printed) => {
      const { memory } = heldBytes({ pid: innermostProcess(pid), scratch: directory });
      expect(Number.parseInt(printed, 10)).toBeGreaterThan(10_000_000);
      expect(memory).toBeGreaterThanOrEqual(Number.parseInt(printed, 10));
    });
  });

  test("fills no more than its own temporary file system", async (context) => {
    const wall = wallFor(native, undefined);
    if (wall === undefined) return context.skip(NO_WALL);
    const directory = temporaryDirectory();
    const printed = await printedBy({ wall, program: native, args: ["fill", directory], directory });
    const [blocks, files] = [...printed.matchAll(/^\d+/gm)].map(Number);
    expect(blocks).toBeGreaterThan(50);
    expect(blocks).toBeLessThanOrEqual(64);
    expect(files).toBeLessThanOrEqual(4_096);
  });

  test.for(["runtime", "guard", "kernel"] as const)(
    "ends when the %s ends it, whatever group and session it is in",
    async (by, context) => {
      const wall = wallFor(native, undefined);
      if (wall === undefined) return context.skip(NO_WALL);
      await startAndEnd({ wall, program: native, args: ["stay", String(process.pid)] }, by);
      await expect.poll(() => processesOf(`/bin/program.stay.${process.pid}`)).toBe("");
    },
  );
});

describe("Node without flags in the place of Deno", () => {
  test("reads, reaches and signals nothing", async (context) => {
    const wall = wallFor(process.execPath, undefined);
    if (wall === undefined) return context.skip(NO_WALL);
    const file = path.join(secrets.directory, "secret.txt");
    const code = `const fs = require("fs"), net = require("net"), won = [];
const attempt = (name, work) => { try { work(); won.push(name); } catch {} };
for (const file of [${JSON.stringify(file)}, "/etc/shadow", "/etc/passwd", "/proc/1/root${file}", "/proc/${secrets.bystander}/environ"])
  attempt("read " + file, () => fs.readFileSync(file));
attempt("list", () => fs.readdirSync("/root") || fs.readdirSync(${JSON.stringify(secrets.directory)}));
attempt("write", () => fs.writeFileSync(${JSON.stringify(`${file}.new`)}, "x"));
attempt("signal", () => process.kill(${secrets.bystander}, "SIGWINCH"));
attempt("shell", () => require("child_process").execSync("id"));
attempt("secret in /proc", () => { if (!fs.readdirSync("/proc").some((pid) => { try { return fs.readFileSync("/proc/" + pid + "/environ", "latin1").includes(${JSON.stringify(secrets.value)}); } catch { return false; } })) throw 0; });
const places = [{ port: ${secrets.port}, host: "127.0.0.1" }, { port: ${secrets.port}, host: "::1" }, { path: ${JSON.stringify(secrets.socket)} }, { path: "\\0${abstract}" }];
Promise.all(places.map((place) => new Promise((done) => net.connect(place, () => done(won.push(JSON.stringify(place)))).on("error", done)))).then(() => console.log(JSON.stringify(won)));`;
    const printed = await printedBy({ wall, program: process.execPath, args: ["-e", code] });
    expect(printed.trim().split("\n").at(-1)).toBe("[]");
    expect(secrets.violations()).toEqual([]);
  });
});
