import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryEngine, type DurableEngine } from "@dispatch/durable";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openEngine } from "./open-engine.ts";
import { NO_POSTGRES, ownDatabase, postgres, type OwnDatabase } from "./own-database.ts";

/** An engine of each kind that this machine has, for one block of tests. */
export interface EngineKind {
  readonly name: "memory" | "sqlite" | "postgres";
  /** Opens the same store each time; at most so many steps at a time, where the engine itself limits them. */
  readonly open: (maxTaken?: number) => Promise<DurableEngine>;
  /** Opens it as another process does: `undefined` for the engine in memory. */
  readonly url: () => string | undefined;
}

/** Describes tests once for every kind of engine; where its server is missing they are one skipped test. */
export function describeEngines(about: (kind: EngineKind) => void): void {
  describe("in memory", () => {
    let engine: DurableEngine;
    beforeAll(() => (engine = createMemoryEngine()) && undefined);
    about({ name: "memory", open: async () => engine, url: () => undefined });
  });

  describe("in a file", () => {
    let root: string;
    beforeAll(() => (root = mkdtempSync(join(tmpdir(), "durable-all-"))) && undefined);
    afterAll(() => rmSync(root, { recursive: true }));
    const url = (): string => join(root, "calls.db");
    about({ name: "sqlite", open: (maxTaken) => openEngine(url(), true, maxTaken), url });
  });

  describe("in PostgreSQL", () => {
    if (postgres === undefined) return untried(NO_POSTGRES);
    let database: OwnDatabase;
    beforeAll(async () => {
      database = await ownDatabase();
    });
    afterAll(() => database.remove());
    const url = (): string => database.url;
    about({ name: "postgres", open: (maxTaken) => openEngine(url(), true, maxTaken), url });
  });
}

function untried(reason: string): void {
  test("is not tried", ({ skip }) => {
    skip(reason);
    expect.unreachable();
  });
}
