import { execFile } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { emptyDirectory, startServer } from "./server-process.ts";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const NOTE = { label: "user/tea", content: "Likes green tea" };
const CORE = { label: "user/name", content: "The user is Ada", tier: "core" };
const yes = { action: "accept", content: { approve: true } };
const no = { action: "accept", content: { approve: false, reason: "not so" } };

/** The command that a person runs beside the server. */
async function person(memory: string, ...args: readonly string[]): Promise<{ code: number; text: string }> {
  const command = ["--conditions=@dispatch/source", main, "memory", ...args, "--memory", memory];
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, command);
    return { code: 0, text: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, text: stdout + stderr };
  }
}

function start(memory?: string) {
  return startServer(["--workspace", emptyDirectory(), ...(memory === undefined ? [] : ["--memory", memory])]);
}

describe("memory of a client that cannot ask", () => {
  test("a core change outlives a killed server, is named to the person, and is decided by the shipped command", async () => {
    const memory = path.join(emptyDirectory(), "memory");
    const first = start(memory);
    await first.shakeHands();
    const queued = await first.call("memory_write", CORE);
    expect(queued).toContain("Queued, not written yet");
    expect(queued).toContain("npx -y @dispatch/mcp-server memory pending --memory <dir>");
    expect(queued).not.toContain(memory);
    expect(await first.call("memory_write", { ...CORE, label: "user/age", content: "Is 36" })).toContain("Queued");
    expect(first.written.stderr).toContain(`memory pending --memory ${memory}`);
    expect(await first.call("memory_list", { tier: "core" })).not.toContain("user/name");
    first.child.kill("SIGKILL");
    await first.ended;

    const { text } = await person(memory, "pending");
    expect(text).toContain("+The user is Ada");
    const [name = "", age = ""] = [...text.matchAll(/^([0-9a-f-]{36}) {2}write/gm)].map(([, id]) => id);
    // Decided while another server uses the memory.
    const second = start(memory);
    await second.shakeHands();
    await second.call("memory_list");
    expect(await person(memory, "approve", name)).toMatchObject({ code: 0 });
    expect(await person(memory, "reject", age, "ask me first")).toMatchObject({ code: 0 });
    expect((await person(memory, "pending")).text).toContain("Nothing waits for you.");
    const read = await second.call("memory_read", { query: "user name Ada" });
    expect(read).toContain("The user is Ada");
    expect(read).not.toContain("vouched for by nobody");
    expect(await second.call("memory_write", { ...CORE, label: "user/age", content: "Is 36" })).toContain(
      "ask me first",
    );
  });

  test("a note is kept as nobody's word until the person vouches for it", async () => {
    const memory = path.join(emptyDirectory(), "memory");
    const { shakeHands, call } = start(memory);
    await shakeHands();
    expect(await call("memory_write", NOTE)).toContain("vouched for by nobody");
    expect((await person(memory, "vouch", "user/coffee")).code).toBe(1);
    expect((await person(memory, "vouch", NOTE.label)).text).toContain(NOTE.content);
    expect(await call("memory_read", { query: "tea" })).not.toContain("vouched for by nobody");
    // A later text of the agent does not inherit that.
    const changed = await call("memory_write", { ...NOTE, content: "Likes coffee" });
    expect(changed).toContain("Queued");
    expect(await call("memory_read", { query: "tea" })).toContain("Likes green tea");
  });

  test("without a directory a core change is refused, with the reason, however often it is sent", async () => {
    const { shakeHands, call } = start();
    await shakeHands();
    for (let time = 0; time < 2; time += 1) {
      const refused = await call("memory_write", CORE);
      expect(refused).toContain("refused: a person must approve it, this client cannot ask");
      expect(refused).toContain("--memory <dir>");
    }
    expect((await call("memory_write", NOTE)).startsWith("Memory written")).toBe(true);
  });
});

describe("memory of a client with forms", () => {
  test("a yes makes a note the person's word, and the form shows all of it", async () => {
    const asked: string[] = [];
    const { shakeHands, call } = start();
    await shakeHands((text) => (asked.push(text), yes));
    const content = `Likes green tea\n${"and more ".repeat(300)}\nand nothing else`;
    expect(await call("memory_write", { ...NOTE, content })).not.toContain("vouched for by nobody");
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain(content);
    expect(await call("memory_read", { query: "tea" })).not.toContain("vouched for by nobody");
    expect(await call("memory_write", CORE)).toContain("Memory written");
    expect(asked).toHaveLength(2);
  });

  test.each([no, { action: "decline" }, { action: "cancel" }, { action: "accept" }])(
    "%j keeps a note unvouched for, and asks about no other",
    async (answer) => {
      let asked = 0;
      const { shakeHands, call } = start();
      await shakeHands(() => ((asked += 1), answer));
      for (const label of ["user/tea", "user/coffee"])
        expect(await call("memory_write", { ...NOTE, label })).toContain("vouched for by nobody");
      expect(asked).toBe(1);
      expect(await call("memory_write", CORE)).toMatch(/refused|decided/);
      expect(asked).toBe(2);
      expect(await call("memory_list", { tier: "core" })).not.toContain("user/name");
    },
  );

  test("a program's notes are nobody's word, and nobody is asked about them", async () => {
    let asked = 0;
    const { shakeHands, call } = start();
    await shakeHands(() => ((asked += 1), yes));
    await call("execute_code", { code: `await memory_write(${JSON.stringify(NOTE)})` });
    expect(await call("memory_read", { query: "tea" })).toContain("vouched for by nobody");
    expect(asked).toBe(0);
  });

  test("a change whose form is open when the server is killed waits for the person", async () => {
    const memory = path.join(emptyDirectory(), "memory");
    const { shakeHands, call, child, ended } = start(memory);
    let isAsked = false;
    await shakeHands(() => ((isAsked = true), "never"));
    void call("memory_write", CORE);
    await expect.poll(() => isAsked).toBe(true);
    child.kill("SIGKILL");
    await ended;
    expect((await person(memory, "pending")).text).toContain("+The user is Ada");
  });
});
