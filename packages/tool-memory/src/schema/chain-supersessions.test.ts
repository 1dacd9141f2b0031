import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines, isServer, openOn, serverUrls } from "../../test/engines.ts";
import { applyChange, replaceAll } from "../change/apply-change.ts";
import type { Database } from "../database/database.ts";
import { toPartitions } from "../postgres/partitions.ts";
import { lockOwner } from "../rows/lock-owner.ts";
import { migrate } from "./migrate.ts";
import { blocks, passages } from "./migrations.ts";

/** A database of schema version 2: `town` supersedes `city` by event 2, and a proposal waits to have `job` supersede it. */
async function makeVersion2(sql: Database, partitions: number): Promise<void> {
  await sql.transaction(async (tx) => {
    await tx.query("DROP SCHEMA IF EXISTS dispatch_memory CASCADE");
    await tx.query("CREATE SCHEMA dispatch_memory");
    await tx.query(
      "CREATE TABLE dispatch_memory.migration (number integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())",
    );
    for (const statement of [...blocks, ...passages])
      for (const part of toPartitions(statement, partitions)) await tx.query(part);
    await tx.query("INSERT INTO dispatch_memory.migration (number) VALUES (1), (2)");
    // The present code makes these blocks; it counts and keeps more than this version did.
    await tx.query("ALTER TABLE dispatch_memory.owner ADD COLUMN day_chars bigint NOT NULL DEFAULT 0");
    await tx.query("ALTER TABLE dispatch_memory.block ADD COLUMN valid_from text");
    const locked = await lockOwner(tx, "ada");
    const state = { tier: "working", permission: "familiar", source: "agent", trust: "medium" } as const;
    const create = (label: string, content: string) =>
      applyChange(
        locked,
        { kind: "created", block: null, is: { label, ...state }, splice: replaceAll("", content) },
        { actor: { kind: "agent", id: "helper" }, session: label, reason: null },
      );
    const city = await create("city", "The user lives in Paris");
    const town = await create("town", "The user lives in Lyon");
    await tx.query("INSERT INTO dispatch_memory.supersession (owner, block_id, by_id, seq) VALUES ('ada', $1, $2, 2)", [
      city.block.id,
      town.block.id,
    ]);
    await tx.query(
      `INSERT INTO dispatch_memory.mutation (owner, id, label, key, op, tier, base_version, base_hash, before, proposed, proposed_hash,
         source, trust, actor_kind, actor_id, status, at, expires_at)
       VALUES ('ada', 'asked', 'job', 'job', 'write', 'working', 0, encode(sha256(''), 'hex'), '', 'The user lives in Nice', '',
         'agent', 'medium', 'agent', 'helper', 'pending', now(), now() + interval '1 day')`,
    );
    await tx.query("ALTER TABLE dispatch_memory.owner DROP COLUMN day_chars");
    await tx.query("ALTER TABLE dispatch_memory.block DROP COLUMN valid_from");
    await tx.query(
      "INSERT INTO dispatch_memory.proposed_supersession (owner, mutation_id, block_id) VALUES ('ada', 'asked', $1)",
      [town.block.id],
    );
  });
}

for (const engine of engines.filter(isServer))
  describe(`migration on ${engine.name}`, () => {
    let sql: Database;
    beforeAll(async () => {
      sql = await engine.open();
    });
    afterAll(() => sql.close());

    test.each([0, 3])(
      "a database of schema version 2 in %i partitions is migrated with its supersessions",
      async (partitions) => {
        await makeVersion2(sql, partitions);
        await migrate(sql);
        const { manager, admin, close } = await openOn(sql, { owner: "ada" });
        try {
          const found = async () => (await manager.search("where does the user live")).map(({ label }) => label);
          expect(await found()).toEqual(["town"]);
          const [city] = await admin.at({ seq: 1 });
          expect(await admin.get("town")).toMatchObject({ supersedes: [city?.id], version: 2 });
          expect(await admin.verify()).toMatchObject({ ok: true, head: { seq: 3 } });
          expect(await admin.history("town")).toMatchObject([{ actor: { id: "helper" }, session: "town" }, {}]);
          // Which version of the block the proposal was made for was not kept.
          expect(await admin.approve("asked")).toMatchObject({ outcome: "conflict", superseded: { version: 2 } });
          await admin.approve("asked", { supersededVersion: 2 });
          expect(await found()).toEqual(["job"]);
          await admin.undo(4);
          expect(await admin.undo({ session: "town" })).toMatchObject({ outcome: "undone" });
          expect(await found()).toEqual(["city"]);
          expect(await admin.verify()).toMatchObject({ ok: true });
        } finally {
          await close();
        }
      },
    );
  });

test("a server is there to be tried", ({ skip }) => {
  skip(serverUrls.length === 0, "no server is named");
  expect(serverUrls).not.toEqual([]);
});
