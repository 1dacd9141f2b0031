import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { approveAfterRestart } from "./approve-after-restart.ts";
import { NO_POSTGRES, ownDatabase, postgres } from "./own-database.ts";
import { runKills, type KillOptions } from "./run-kills.ts";

function options(kills: number): KillOptions {
  const root = mkdtempSync(join(tmpdir(), "durable-kills-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const nodeArgs = ["--no-deprecation", "--conditions=@dispatch/source"];
  const files = { engine: join(root, "calls.db"), destination: join(root, "effects") };
  return { ...files, kills, workers: 3, calls: kills * 5, nodeArgs };
}

test("killed workers lose no call and repeat none, in a file", async () => {
  const report = await runKills(options(12));
  expect(report).toMatchObject({ duplicates: 0, lost: 0, untold: 0, named: report.unknown });
  expect(report.kills).toBeGreaterThanOrEqual(12);
});

test("killed workers lose no call and repeat none, in PostgreSQL", async ({ skip }) => {
  skip(postgres === undefined, NO_POSTGRES);
  const { url, remove } = await ownDatabase();
  onTestFinished(remove);
  const report = await runKills({ ...options(6), engine: url });
  expect(report).toMatchObject({ duplicates: 0, lost: 0, untold: 0, named: report.unknown });
});

test("an approval is answered while no worker lives, and the call runs once in the next one", async () => {
  expect(await approveAfterRestart({ ...options(2), calls: 10 })).toEqual({ asked: 10, ran: 10 });
});
