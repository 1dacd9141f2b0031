import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { PGlite, type Transaction } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import type { SqlQuery } from "../database/sql.ts";
import { INITDB_PARAMS, TEMPLATE_FILE } from "../database/template-database.ts";
import { migrate } from "../schema/migrate.ts";
import { prepareVectorStore } from "../search/vector-store.ts";

/**
 * Part of the build: creates the template database, an empty memory, and packs it. PostgreSQL's own template databases are
 * dropped to save space.
 */
const startParams = [...PGlite.defaultStartParams, "-c", "min_wal_size=2MB", "-c", "wal_recycle=off"];
const database = await PGlite.create({ extensions: { vector }, initDbStartParams: [...INITDB_PARAMS], startParams });
await database.exec("UPDATE pg_database SET datistemplate = false, datallowconn = true");
for (const name of ["template0", "template1"]) await database.exec(`DROP DATABASE ${name}`);
for (const statement of ["VACUUM FULL", "VACUUM FREEZE"]) await database.exec(statement);

// Migrates after the vacuum: the planner would expect tables that a vacuum found empty to stay empty.
const toQuery = (runner: Pick<Transaction, "query">): SqlQuery => ({
  query: async <Row>(text: string, params: readonly (string | number | null)[] = []) =>
    (await runner.query<Row>(text, [...params])).rows,
});
const sql = {
  ...toQuery(database),
  transaction: <Result>(work: (query: SqlQuery) => Promise<Result>) => database.transaction((tx) => work(toQuery(tx))),
  close: () => database.close(),
};
await migrate(sql);
await prepareVectorStore(sql);

for (const statement of ["CHECKPOINT", "SELECT pg_switch_wal()", "CHECKPOINT"]) await database.exec(statement);
const tar = Buffer.from(await (await database.dumpDataDir("none")).arrayBuffer());
await database.close();

mkdirSync(dirname(TEMPLATE_FILE), { recursive: true });
const draft = `${TEMPLATE_FILE}.${process.pid}`;
writeFileSync(
  draft,
  brotliCompressSync(tar, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 20 } }),
);
renameSync(draft, TEMPLATE_FILE);
