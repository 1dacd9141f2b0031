import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { NO_POSTGRES, ownDatabase, postgres } from "./own-database.ts";

const program = fileURLToPath(new URL("./first-worker.ts", import.meta.url));
const DATABASES = 4;
const WORKERS = 3;

/** Workers that open one new database at the same moment: what each wrote, on both channels. */
async function startTogether(url: string): Promise<string[]> {
  const args = ["--no-deprecation", "--conditions=@dispatch/source", program, url];
  const workers = Array.from({ length: WORKERS }, (_, number) => spawn(process.execPath, [...args, `${number}`]));
  const written = workers.map(async ({ stdout, stderr }) => (await Promise.all([text(stdout), text(stderr)])).join(""));
  await Promise.all(workers.map(({ stdout }) => once(stdout, "readable")));
  for (const { stdin } of workers) stdin.end("go\n");
  return Promise.all(written);
}

test("workers that are started together on a new database all start, and each makes its call", async ({ skip }) => {
  skip(postgres === undefined, NO_POSTGRES);
  for (let database = 0; database < DATABASES; database += 1) {
    const { url, remove } = await ownDatabase();
    try {
      expect(await startTogether(url)).toEqual(Array.from({ length: WORKERS }, () => "ready\ncharged\n"));
    } finally {
      await remove();
    }
  }
});
