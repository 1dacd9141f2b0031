import { execFile, spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { hostArguments } from "./host-process.ts";

/** Beyond a gap: Node closes in its children only those that it was given without one. */
const INHERITED = 40;
const SECRET = "told to the host alone";

/** Reads from and writes to the descriptor, by its number. */
const program = `const { Socket } = process.getBuiltinModule("node:net");
const socket = new Socket({ fd: ${INHERITED}, readable: true, writable: true });
socket.write("told by the program");
return await new Promise((resolve) => socket.on("data", (bytes) => resolve(String(bytes))).on("error", resolve).on("end", resolve).resume());`;

describe("a program gets none of the descriptors that its host was given", () => {
  test.each(["auto", "process"])("with containment %s", async (containment) => {
    const lines = `const runtime = new DenoRuntime({ containment: ${JSON.stringify(containment)}, prewarm: 0, onContainment: () => {} });
const { value, error } = await runtime.execute({ code: ${JSON.stringify(program)}, callTool: async () => 0, limits: { wallMs: 2_000 } });
console.log(JSON.stringify(value ?? error));
await runtime.close();`;
    const nothing = Array.from({ length: INHERITED - 3 }, () => "ignore" as const);
    const host = spawn(process.execPath, hostArguments(lines), {
      stdio: ["ignore", "pipe", "inherit", ...nothing, "pipe"],
    });
    const given = host.stdio[INHERITED as 4] as unknown as Duplex;
    given.write(SECRET);
    let received = "";
    // It is reset when it is closed with the secret unread.
    given.on("data", (bytes) => (received += String(bytes))).on("error", () => undefined);
    const answer = await text(host.stdout as NonNullable<typeof host.stdout>);
    expect(answer).toMatch(/\S/);
    expect(answer).not.toContain(SECRET);
    expect(received).toBe("");
  });

  test("and does not start where one is beyond the limit of open files", async ({ skip }) => {
    skip(process.platform !== "linux", "needs Linux");
    const lines = `const runtime = new DenoRuntime({ prewarm: 0 });
console.log(JSON.stringify((await runtime.execute({ code: "1", callTool: async () => 0 })).error));
await runtime.close();`;
    const limited = ["-c", `exec ${INHERITED * 2}>/dev/null; ulimit -n ${INHERITED * 2}; exec "$@"`, "bash"];
    const { stdout } = await promisify(execFile)("/bin/bash", [...limited, process.execPath, ...hostArguments(lines)]);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: "unavailable",
      reason: expect.stringMatching(/was given descriptor \d+, which its limit of 80 open files/),
    });
  });
});
