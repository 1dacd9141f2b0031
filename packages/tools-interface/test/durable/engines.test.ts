import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { describeEngines } from "./all-engines.ts";
import { testEngine } from "./engine-contract.ts";
import { runKills } from "./run-kills.ts";

describeEngines(({ name, open, url }) => {
  testEngine(() => open());

  // Those of the file and of PostgreSQL are in kills.test.ts.
  if (name !== "restate") return;
  test("killed workers lose no call and repeat none", async () => {
    const root = mkdtempSync(join(tmpdir(), "durable-engines-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const nodeArgs = ["--no-deprecation", "--conditions=@dispatch/source"];
    const options = { engine: url() ?? "", destination: join(root, "effects"), kills: 6, workers: 3, calls: 30 };
    const report = await runKills({ ...options, nodeArgs });
    expect(report).toMatchObject({ duplicates: 0, lost: 0, untold: 0, named: report.unknown });
  });
});
