import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { memoryAttacks } from "./memory-attacks.ts";

const HOST = fileURLToPath(new URL("memory-host.ts", import.meta.url));

test.each(["deno", "quickjs"] as const)(
  "no program ends a host of 256 MB, nor do all of them in one session: %s",
  async (engine) => {
    const host = spawn(process.execPath, ["--conditions=@dispatch/source", "--max-old-space-size=256", HOST, engine], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    let printed = "";
    host.stdout.on("data", (bytes) => (printed += bytes));
    const exit = await new Promise((resolve) => host.once("close", resolve));
    const found = printed
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as [name: string, code: string]);
    expect(found.map(([name]) => name)).toEqual(memoryAttacks(engine).map(([name]) => name));
    expect(exit).toBe(0);
    for (const [name, code] of found) {
      if (name.startsWith("large "))
        expect([name, code]).toEqual([name, expect.stringMatching(/^code_(?:memory|timeout)$/)]);
      else
        expect([name, code]).toEqual([
          name,
          expect.stringMatching(/^(?:|code_(?:memory|calls|protocol|output|runtime|timeout))$/),
        ]);
    }
  },
  600_000,
);
