import postgres from "postgres";
import type { Sql, SqlQuery } from "../src/sql.ts";

/** A server as the `Sql` port, for tests. */
export function openPg(url: string): Sql {
  const pool = postgres(url, { max: 4, onnotice: () => undefined });
  const queryOf =
    (client: postgres.Sql | postgres.TransactionSql): SqlQuery["query"] =>
    async <Row>(text: string, params?: readonly (string | number | null)[]) =>
      [...(await client.unsafe(text, params && [...params]))] as unknown as readonly Row[];
  return {
    query: queryOf(pool),
    transaction: (work) => pool.begin((client) => work({ query: queryOf(client) })) as ReturnType<typeof work>,
    close: () => pool.end(),
  };
}
