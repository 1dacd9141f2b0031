import process from "node:process";
import pg from "pg";

/** The URL of a server that `.ci/with-postgres.ts` starts, if there is one. */
export const postgres = process.env["DISPATCH_TEST_POSTGRES_URL"];
/** Why tests that need it are skipped. */
export const NO_POSTGRES = "no server: .ci/with-postgres.ts starts one";

/** A database that nobody else uses: a worker takes the calls of everyone in its own. */
export interface OwnDatabase {
  readonly url: string;
  /** Sends it a statement, by a connection that `end` does not end, and returns the rows. */
  readonly query: (text: string) => Promise<readonly unknown[]>;
  /** Ends the connections whose query is like the given one, and says how many there were. */
  readonly end: (query: string) => Promise<number>;
  readonly remove: () => Promise<void>;
}

/** Makes a database on the server. */
export async function ownDatabase(): Promise<OwnDatabase> {
  const client = new pg.Client({ connectionString: postgres });
  await client.connect();
  const name = `durable_${crypto.randomUUID().replaceAll("-", "")}`;
  await client.query(`CREATE DATABASE ${name}`);
  const own = new URL(postgres ?? "");
  own.pathname = `/${name}`;
  const end =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND query LIKE $2 AND application_name <> 'test'";
  const inside = new pg.Client({ connectionString: own.href, application_name: "test" });
  await inside.connect();
  return {
    url: own.href,
    query: async (text) => (await inside.query<Record<string, unknown>>(text)).rows,
    end: async (query) => (await client.query(end, [name, query])).rowCount ?? 0,
    async remove() {
      await inside.end();
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await client.end();
    },
  };
}
