import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDatabase, serverUrls } from "../../test/engines.ts";
import type { Database, Sql } from "../database/database.ts";
import { lockOwner } from "../rows/lock-owner.ts";
import { migrate, openPostgresDatabase } from "./migrate.ts";
import { toPostgresDatabase } from "./postgres-database.ts";
import { openPostgres } from "./postgres-sql.ts";
import { FIRST_SCHEMA, migrations, type Migration } from "./schema.ts";

const NEWEST = FIRST_SCHEMA - 1 + migrations.length;

describe.each(serverUrls.map((server, n) => ({ name: `server ${n + 1}`, server })))(
  "migrate() on $name",
  ({ server }) => {
    let place: Awaited<ReturnType<typeof createDatabase>>;
    let sql: Sql;
    let database: Database;
    beforeEach(async () => {
      place = await createDatabase(server);
      sql = openPostgres(place.url, { connections: 4 });
      database = await openPostgresDatabase(sql);
    });
    afterEach(async () => {
      await sql.close();
      await place.drop();
    });

    const adding: Migration = {
      statements: ["ALTER TABLE dispatch_memory.block ADD COLUMN note text"],
      oldest: NEWEST,
    };
    const breaking: Migration = {
      statements: ["ALTER TABLE dispatch_memory.owner RENAME COLUMN hash TO link"],
    };
    const lock = (): Promise<unknown> => database.transaction((tx) => lockOwner(tx, "ann"));

    test("lets a package go on beside a newer schema that allows it, also one that opens it then", async () => {
      await lock();
      await migrate(toPostgresDatabase(sql), { known: [...migrations, adding] });
      await lock();
      await migrate(toPostgresDatabase(sql));
      await expect(migrate(toPostgresDatabase(sql), { known: [...migrations, adding] })).resolves.not.toThrow();
    });

    test("ends an older package with memory_version where the schema allows it no more, running or opening", async () => {
      await migrate(toPostgresDatabase(sql), { known: [...migrations, adding, breaking] });
      await expect(lock()).rejects.toMatchObject({ code: "memory_version" });
      await expect(migrate(toPostgresDatabase(sql))).rejects.toMatchObject({ code: "memory_version" });
      await expect(migrate(toPostgresDatabase(sql), { known: [...migrations, adding] })).rejects.toMatchObject({
        code: "memory_version",
      });
    });

    test("refuses a database of before the first release, and says how to move it", async () => {
      await sql.query("UPDATE dispatch_memory.migration SET number = 6, oldest = 6");
      await expect(migrate(toPostgresDatabase(sql))).rejects.toMatchObject({
        code: "memory_version",
        message: expect.stringContaining("import"),
      });
    });

    test("holds nobody up for long behind a lock that it waits for, and changes nothing when it gives up", async () => {
      await sql.transaction(async (tx) => {
        await tx.query("LOCK TABLE dispatch_memory.block IN ACCESS SHARE MODE");
        const waiting = migrate(toPostgresDatabase(sql), { known: [...migrations, adding], patienceMs: 1 });
        const refused = waiting.catch((error: unknown) => error);
        // Queues behind the migration, which lets go before the transaction here does.
        await sql.query("SELECT count(*) FROM dispatch_memory.block");
        expect(await refused).toMatchObject({ code: "memory_locked" });
        await sql.query("SELECT count(*) FROM dispatch_memory.block");
      });
      expect(await sql.query("SELECT 1 FROM dispatch_memory.migration WHERE number > $1", [NEWEST])).toEqual([]);
      await migrate(toPostgresDatabase(sql), { known: [...migrations, adding] });
    });
  },
);

test("a server is there to be tried", ({ skip }) => {
  skip(serverUrls.length === 0, "no server is named");
  expect(serverUrls).not.toEqual([]);
});
