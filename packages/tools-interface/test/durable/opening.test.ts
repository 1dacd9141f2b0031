import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openEngine } from "./open-engine.ts";

const postgres = process.env["DISPATCH_TEST_POSTGRES_URL"];

/** A database that nobody else uses, whose connections can be ended. */
async function ownDatabase(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const name = `opening_${crypto.randomUUID().replaceAll("-", "")}`;
  await client.query(`CREATE DATABASE ${name}`);
  onTestFinished(async () => {
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await client.end();
  });
  const own = new URL(url);
  own.pathname = `/${name}`;
  const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND query LIKE $2";
  return { url: own.href, end: async (query: string) => (await client.query(end, [name, query])).rowCount ?? 0 };
}

// Needs a server, which `.ci/with-postgres.ts` starts.
test.skipIf(postgres === undefined)("an engine opens although its connections are ended meanwhile", async () => {
  const { url, end } = await ownDatabase(postgres!);
  // The tables of DBOS are there, so that the second time is the start of a worker, as most are.
  for (const ended of [0, 12]) {
    const open = new AbortController();
    const opening = openEngine(url, true).finally(() => open.abort());
    for (let count = 0; count < ended && !open.signal.aborted;) count += await end("%dbos%");
    const engine = await opening;
    expect(await engine.find("none")).toBeUndefined();
    await engine.close();
  }
});
