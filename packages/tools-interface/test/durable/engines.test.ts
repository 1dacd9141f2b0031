import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryEngine } from "@dispatch/tools-interface/durable";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testEngine } from "./engine-contract.ts";
import { openEngine } from "./open-engine.ts";
import { runKills } from "./run-kills.ts";
import { restateServer, startRestate, type RestateServer } from "./start-restate.ts";

const postgres = process.env["DISPATCH_TEST_POSTGRES_URL"];
const root = mkdtempSync(join(tmpdir(), "durable-engines-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("in memory", () => {
  testEngine(async () => createMemoryEngine());
});

describe("in a file", () => {
  testEngine(() => openEngine(join(root, "calls.db"), true));
});

// Needs a server, which `.ci/with-postgres.ts` starts.
describe.skipIf(postgres === undefined)("in PostgreSQL", () => {
  testEngine(() => openEngine(postgres!, true));
});

// Needs a server, of 226 MB: `npm install @restatedev/restate-server`, or DISPATCH_TEST_RESTATE_SERVER.
describe.skipIf(restateServer === undefined)("in Restate", () => {
  let server: RestateServer;
  beforeAll(async () => {
    server = await startRestate(restateServer!);
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
