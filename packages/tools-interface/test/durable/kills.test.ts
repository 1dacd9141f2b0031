import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runKills } from "./run-kills.ts";

test("killed workers lose no call and repeat none", async () => {
  const root = mkdtempSync(join(tmpdir(), "durable-kills-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const report = await runKills({
    engine: join(root, "calls.db"),
    destination: join(root, "effects"),
    kills: 12,
    workers: 3,
    calls: 60,
    nodeArgs: ["--conditions=@dispatch/source"],
  });
  expect(report).toMatchObject({ duplicates: 0, lost: 0, untold: 0, named: report.unknown });
  expect(report.kills).toBeGreaterThanOrEqual(12);
});
