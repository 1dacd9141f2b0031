import { describe, expect, test } from "vitest";
import { everything, sandbox } from "./sandbox.ts";

const run = sandbox();
/** Values of this process's own environment that could only have come from there. */
process.env["CODE_TEST_SECRET"] = "environment-of-the-host";

describe("a program is denied", () => {
  test.each([
    ["a command", "await new Deno.Command('/bin/true').output()"],
    ["a command by node", "import cp from 'node:child_process';\nexport default cp.execFileSync('/bin/true').length;"],
    ["a shell by node", "import cp from 'node:child_process';\nexport default cp.execSync('true').length;"],
    ["a fork", "import cp from 'node:child_process';\nexport default cp.fork('x.js').pid;"],
    ["a process through cluster", "import cluster from 'node:cluster';\nexport default cluster.fork().id;"],
    ["a native library", "Deno.dlopen('/lib/x86_64-linux-gnu/libc.so.6', {})"],
    ["a native module", "process.dlopen({ exports: {} }, '/tmp/x.node')"],
    ["a pointer", "Deno.UnsafePointer.create(1n)"],
    ["the debugger", "import { Session } from 'node:inspector';\nnew Session().connect();"],
    ["the debugger's port", "import inspector from 'node:inspector';\ninspector.open(0);"],
    ["a signal to another process", "Deno.kill(Deno.ppid, 'SIGTERM')"],
    ["a signal by node", "process.kill(process.ppid, 'SIGTERM')"],
    ["the environment", "Deno.env.toObject()"],
    ["a variable", "Deno.env.get('PATH')"],
    ["a variable by node", "process.env.PATH.length"],
    ["the name of the machine", "Deno.hostname()"],
    ["the name of the user", "import os from 'node:os';\nexport default os.userInfo();"],
    ["the network of the machine", "Deno.networkInterfaces()"],
    ["another user", "process.setuid(0)"],
  ])("%s", async (_, code) => {
    const outcome = await run(code);
    expect(outcome.ok).toBe(false);
    expect(outcome.error?.kind).toMatch(/permission|runtime/);
  });

  test("more rights when it asks for them", async () => {
    expect(
      (
        await run(
          "const s = await Promise.all(['read', 'write', 'net', 'env', 'run', 'ffi', 'sys'].map((name: any) => Deno.permissions.request({ name }))); return s.map(({ state }) => state)",
        )
      ).value,
    ).toEqual(Array(7).fill("denied"));
  });

  test("the flags of the engine that would open it", async () => {
    const outcome = await run(`import v8 from "node:v8";
const found = [];
for (const flag of ["--allow-natives-syntax", "--no-wasm-bounds-checks", "--no-wasm-trap-handler"]) v8.setFlagsFromString(flag);
try { eval("%GetOptimizationStatus(() => 1)"); found.push("natives"); } catch {}
const bytes = new Uint8Array([0,97,115,109,1,0,0,0,1,6,1,96,1,127,1,127,3,2,1,0,5,3,1,0,1,7,5,1,1,108,0,0,10,9,1,7,0,32,0,40,2,0,11]);
try { (new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as any).l(0x100000); found.push("memory"); } catch {}
export default found;`);
    expect(outcome.value).toEqual([]);
  });
});

describe("a program finds nothing of the host", () => {
  test("in what it can ask for", async () => {
    const outcome = await run(
      "[Deno.args, Deno.cwd(), Deno.execPath(), typeof localStorage, typeof caches, typeof Worker, typeof navigator.gpu, Deno.noColor]",
    );
    expect(outcome.value).toEqual([[], "/", "deno", "undefined", "undefined", "undefined", "undefined", true]);
  });

  test("in its environment, seen by whatever way", async () => {
    for (const code of [
      "Deno.readTextFileSync('/proc/self/environ')",
      "JSON.stringify(process.env)",
      "import { env } from 'node:process';\nexport default { ...env };",
    ]) {
      expect(everything(await run(code))).not.toContain("environment-of-the-host");
    }
  });

  test("and leaves nothing for the next program", async () => {
    await run(
      "try { globalThis.mark = 1; localStorage.setItem('mark', '1') } catch {}\ntry { await (await caches.open('a')).put('http://a/', new Response('mark')) } catch {}\nObject.prototype.mark = 1;",
    );
    expect(
      (
        await run(
          "const kept = []; try { if (localStorage.getItem('mark')) kept.push(1) } catch {}\ntry { if (await caches.has('a')) kept.push(2) } catch {}\nreturn [kept, typeof globalThis.mark, typeof ({} as any).mark]",
        )
      ).value,
    ).toEqual([[], "undefined", "undefined"]);
  });
});
