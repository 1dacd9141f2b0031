import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
// @boundaries-ignore tests of both run as another user in one way
import { AS_USER, directoryOfUser, userCanRun } from "../../sandbox/test/ordinary-user.ts";
import { hostArguments } from "./host-process.ts";
import { everything, sandbox, SECRET, temporaryDirectory } from "./sandbox.ts";

const outside = temporaryDirectory();
const cwd = temporaryDirectory();
const secret = path.join(outside, "secret.txt");
writeFileSync(secret, `${SECRET}\n`);
const run = sandbox({ cwd });
const bare = sandbox();
const url = pathToFileURL(secret).href;

describe("a program cannot read a file outside of its directory", () => {
  test("although the same words do read one inside", async () => {
    writeFileSync(path.join(cwd, "open.txt"), "open");
    const open = pathToFileURL(path.join(cwd, "open.txt")).href;
    expect((await run(`(await import("${open}", { with: { type: "text" } })).default`)).value).toBe("open");
    expect((await run(`import text from "${open}" with { type: "text" };\nexport default text;`)).value).toBe("open");
    expect((await run(`Deno.readTextFileSync("open.txt")`)).value).toBe("open");
    expect((await bare(`Deno.readTextFileSync("${path.join(cwd, "open.txt")}")`)).error?.kind).toBe("permission");
  });

  test("nor by leaving settings for the next program", async () => {
    await run(`Deno.writeTextFileSync("deno.json", JSON.stringify({ imports: { evil: "${url}" }, permissions: { default: { read: true } }, compilerOptions: { types: ["${url}"] } }));
Deno.writeTextFileSync("package.json", JSON.stringify({ dependencies: { evil: "file:${outside}" } }));
Deno.mkdirSync("node_modules/evil", { recursive: true });
Deno.writeTextFileSync("node_modules/evil/package.json", JSON.stringify({ name: "evil", main: "${secret}" }));
Deno.writeTextFileSync(".npmrc", "//x/:_authToken=1");
Deno.writeTextFileSync(".env", "EVIL=1");`);
    for (const code of [
      `await import("evil", { with: { type: "text" } })`,
      `import { createRequire } from "node:module";\nexport default createRequire("file://" + Deno.cwd() + "/x.js")("evil");`,
      `Deno.readTextFileSync("${secret}")`,
      `Deno.env.get("EVIL")!.length`,
      `process.env["EVIL"]!.length`,
    ]) {
      const outcome = await run(code);
      expect(outcome.ok).toBe(false);
      expect(everything(outcome)).not.toContain(SECRET);
    }
  });
});

describe("links that lead out of the directory", () => {
  let linked: string;
  beforeEach(() => {
    linked = realpathSync(mkdtempSync(path.join(tmpdir(), "linked-")));
    return () => rmSync(linked, { recursive: true, force: true });
  });

  test("keep every program from running, and are named without the place they lead to", async () => {
    mkdirSync(path.join(linked, "sub"));
    symlinkSync(secret, path.join(linked, "sub/innocent.txt"));
    const outcome = await sandbox({ prewarm: 0, cwd: linked })("Deno.readTextFileSync('sub/innocent.txt')");
    expect(outcome.error).toMatchObject({
      kind: "unavailable",
      message: `the working directory holds links that lead out of it: ${path.join("sub", "innocent.txt")}`,
    });
    expect(everything(outcome)).not.toContain(outside);
  });

  test("do not when the host says so", async () => {
    symlinkSync(secret, path.join(linked, "known.txt"));
    expect((await sandbox({ prewarm: 0, cwd: linked, allowEscapingLinks: true })("1")).ok).toBe(true);
  });

  test("are found at every run, not only at the first", async () => {
    const attack = sandbox({ prewarm: 0, cwd: linked });
    expect((await attack("1")).ok).toBe(true);
    symlinkSync("..", path.join(linked, "late"));
    expect((await attack("1")).error?.kind).toBe("unavailable");
  });

  test("are no concern when they stay inside", async () => {
    writeFileSync(path.join(linked, "a.txt"), "A");
    symlinkSync("a.txt", path.join(linked, "b.txt"));
    linkSync(path.join(linked, "a.txt"), path.join(linked, "c.txt"));
    expect((await sandbox({ prewarm: 0, cwd: linked })("Deno.readTextFileSync('b.txt')")).value).toBe("A");
  });

  test("is not followed to where a link leads that was put in its place", async () => {
    const base = temporaryDirectory();
    const place = path.join(base, "cwd");
    mkdirSync(place);
    mkdirSync(path.join(base, "other"));
    writeFileSync(path.join(base, "other", "secret"), SECRET);
    const runThere = sandbox({ cwd: place, prewarm: 0 });
    expect((await runThere("1")).ok).toBe(true);
    rmSync(place, { recursive: true });
    symlinkSync("other", place);
    const outcome = await runThere(
      "return [...Deno.readDirSync('.')].map(({ name }) => name + Deno.readTextFileSync(name));",
    );
    expect(outcome.error?.kind).toBe("unavailable");
    expect(everything({ ...outcome, error: undefined })).not.toContain(SECRET);
  });
});

describe("a program that removes its directory", () => {
  test.each(["auto", "process"] as const)("is not in the way of the next, with containment %s", async (containment) => {
    const own = path.join(temporaryDirectory(), "own");
    mkdirSync(own);
    const inOwn = sandbox({ cwd: own, containment });
    await inOwn("try { Deno.removeSync(Deno.cwd(), { recursive: true }); } catch {}");
    expect(await inOwn("Deno.writeTextFileSync('a.txt', 'A'); return Deno.readTextFileSync('a.txt')")).toMatchObject({
      error: undefined,
      value: "A",
    });
    expect(readFileSync(path.join(own, "a.txt"), "utf8")).toBe("A");
    rmSync(own, { recursive: true });
    expect((await inOwn("[...Deno.readDirSync('.')].length")).value).toBe(0);
    mkdirSync(`${own}2`);
    rmSync(own, { recursive: true });
    symlinkSync(`${own}2`, own);
    expect((await inOwn("1")).error).toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("is no directory any more"),
    });
  });
});

describe("a program that shuts its directory, or one in it", () => {
  test.for([
    ["auto", "."],
    ["auto", "d"],
    ["process", "."],
    ["process", "d"],
  ] as const)("is not in the way of the next, with containment %s: %s", ([containment, shut], { skip }) => {
    const program = `import { mkdirSync } from "node:fs";
const cwd = process.argv[1];
for (const place of [cwd, cwd + "-temp"]) mkdirSync(place);
const runtime = new DenoRuntime({ cwd, tempDir: cwd + "-temp", containment: "${containment}", prewarm: 0 });
const run = (code) => runtime.execute({ code, callTool: async () => 0 });
const first = await run('Deno.mkdirSync("d"); Deno.chmodSync("${shut}", 0)');
const { value, error } = await run('Deno.writeTextFileSync("a.txt", "A"); return Deno.readTextFileSync("a.txt")');
await runtime.close();
console.log(JSON.stringify([first.ok, value, error]));`;
    if (!userCanRun()) skip("another user cannot read this directory");
    const own = path.join(directoryOfUser(), "own");
    const [command = "", ...args] = [...AS_USER, process.execPath, ...hostArguments(program, own)];
    expect(JSON.parse(execFileSync(command, args, { encoding: "utf8", cwd: "/" }))).toEqual([true, "A", null]);
  });
});
