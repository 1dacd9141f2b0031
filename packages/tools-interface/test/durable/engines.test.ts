import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryEngine } from "@dispatch/tools-interface/durable";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testEngine } from "./engine-contract.ts";
import { openEngine } from "./open-engine.ts";
import { NO_POSTGRES, ownDatabase, postgres, type OwnDatabase } from "./own-database.ts";
import { runKills } from "./run-kills.ts";
import { restateServer, startRestate, type RestateServer } from "./start-restate.ts";

const root = mkdtempSync(join(tmpdir(), "durable-engines-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("in memory", () => {
  testEngine(async () => createMemoryEngine());
});

describe("in a file", () => {
  testEngine(() => openEngine(join(root, "calls.db"), true));
});

describe("in PostgreSQL", () => {
  if (postgres === undefined) return untried(NO_POSTGRES);
  let database: OwnDatabase;
  beforeAll(async () => {
    database = await ownDatabase();
  });
  afterAll(() => database.remove());

  testEngine(() => openEngine(database.url, true));
});

describe("in Restate", () => {
  const program = restateServer;
  if (program === undefined) return untried("no server: .ci/with-restate.ts installs one");
  let server: RestateServer;
  beforeAll(async () => {
    server = await startRestate(program);
  });
  afterAll(() => server.stop());

  testEngine(() => openEngine(server.url, true));

  test("killed workers lose no call and repeat none", async () => {
    const nodeArgs = ["--no-deprecation", "--conditions=@dispatch/source"];
    const options = { engine: server.url, destination: join(root, "effects"), kills: 6, workers: 3, calls: 30 };
    const report = await runKills({ ...options, nodeArgs });
    expect(report).toMatchObject({ duplicates: 0, lost: 0, untold: 0, named: report.unknown });
  });
});

function untried(reason: string): void {
  test("keeps the contract", ({ skip }) => {
    skip(reason);
    expect.unreachable();
  });
}
