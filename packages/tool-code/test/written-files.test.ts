import { symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createToolRegistry } from "@dispatch/tools-interface";
import { afterAll, expect, test } from "vitest";
import { DenoRuntime } from "../src/deno/index.ts";
import { registerCodeTool } from "../src/index.ts";
import { temporaryDirectory } from "./sandbox.ts";

const cwd = temporaryDirectory();
writeFileSync(path.join(cwd, "old.txt"), "old");
utimesSync(path.join(cwd, "old.txt"), 0, 0);
const runtime = new DenoRuntime({ cwd });
afterAll(() => runtime.close());
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==";

const program = (code: string, imageFiles = false) =>
  registerCodeTool(createToolRegistry(), { runtime, imageFiles }).dispatch("execute_code", { code });

test("files that a program made or changed are listed, with their size", async () => {
  // Files of the test itself are older than any tick of the file system's clock.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const made = await program(
    `Deno.mkdirSync("sub");\nDeno.writeTextFileSync("sub/a.csv", "1,2");\nDeno.writeTextFileSync("b\\nReturned: 1", "");\nDeno.utimeSync("sub/a.csv", 0, 0);\nreturn 5;`,
  );
  expect(made.toString()).toBe('Returned: 5\nFiles written: "b\\nReturned: 1" (0 bytes), sub/a.csv (3 bytes)');
  expect(made).toMatchObject({
    data: {
      files: [
        { path: "b\nReturned: 1", bytes: 0 },
        { path: "sub/a.csv", bytes: 3 },
      ],
    },
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await program("Deno.readTextFileSync('old.txt')")).toString()).toBe("Returned: old");
  const failed = await program(`Deno.writeTextFileSync("c.txt", "c");\nthrow new Error("x");`);
  expect(failed.toString()).toContain("Files written: c.txt (1 bytes)");
  expect(failed).toMatchObject({ metadata: { files: [{ path: "c.txt", bytes: 1 }] } });
});

test("images among them become content where the host asks for it", async () => {
  const code = `Deno.writeFileSync("dot.png", Uint8Array.from(atob("${PNG}"), (c) => c.charCodeAt(0)));\nDeno.writeTextFileSync("not.png", "no");`;
  expect(await program(code, true)).toMatchObject({
    content: [{ type: "text" }, { type: "image", mimeType: "image/png", data: PNG }],
  });
  expect(await program(code)).not.toHaveProperty("content", expect.anything());
});

test("readFile() reads no file but those in the directory", async () => {
  const other = temporaryDirectory();
  writeFileSync(path.join(other, "secret"), "secret");
  symlinkSync(other, path.join(cwd, "out"));
  symlinkSync(path.join(other, "secret"), path.join(cwd, "link"));
  for (const file of ["out/secret", "link", `../${path.basename(other)}/secret`, "sub", "none"])
    expect(await runtime.readFile(file, 1_000)).toBeUndefined();
  expect(String(await runtime.readFile("old.txt", 1_000))).toBe("old");
  expect(await runtime.readFile("old.txt", 2)).toBeUndefined();
});
