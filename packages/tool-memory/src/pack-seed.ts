import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";
import { INITDB_PARAMS, SEED_FILE } from "./seed.ts";

/** Part of the build: makes an empty database and packs it. The databases that others are copied from are left out. */
const startParams = [...PGlite.defaultStartParams, "-c", "min_wal_size=2MB", "-c", "wal_recycle=off"];
const database = await PGlite.create({ initDbStartParams: [...INITDB_PARAMS], startParams });
await database.exec("UPDATE pg_database SET datistemplate = false, datallowconn = true");
for (const name of ["template0", "template1"]) await database.exec(`DROP DATABASE ${name}`);
for (const statement of ["VACUUM FULL", "VACUUM FREEZE", "CHECKPOINT", "SELECT pg_switch_wal()", "CHECKPOINT"])
  await database.exec(statement);
const tar = Buffer.from(await (await database.dumpDataDir("none")).arrayBuffer());
await database.close();

mkdirSync(dirname(SEED_FILE), { recursive: true });
const draft = `${SEED_FILE}.${process.pid}`;
writeFileSync(
  draft,
  brotliCompressSync(tar, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 20 } }),
);
renameSync(draft, SEED_FILE);
