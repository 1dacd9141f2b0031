import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase, serverUrls } from "../../test/engines.ts";
import type { Sql } from "../database/database.ts";
import { openMemory } from "../memory/open-memory.ts";
import { openPostgres } from "./postgres-sql.ts";

test("openMemory() says clearly that a server cannot be reached, without its password", async () => {
  await expect(openMemory("postgres://ada:hidden@127.0.0.1:9/memory")).rejects.toMatchObject({
    code: "memory_connection",
    message: expect.not.stringContaining("hidden"),
  });
});

const message = (kind: string, content: string): Buffer => {
  const bytes = Buffer.from(content, "latin1");
  const head = Buffer.alloc(5);
  head.write(kind);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
};

test("a connection that the server ends as soon as it is made is a clear error, and not the end of the host", async () => {
  const ended = message("E", "SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0");
  // All in one piece, so that the driver reads the end before anybody can have got the connection.
  const server = createServer((socket) =>
    socket
      .on("error", () => undefined)
      .once("data", () => socket.end(Buffer.concat([message("R", "\0\0\0\0"), message("Z", "I"), ended]))),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const sql = openPostgres(`postgres://ada@127.0.0.1:${(server.address() as AddressInfo).port}/memory`);
  try {
    await expect(sql.transaction((tx) => tx.query("SELECT 1"))).rejects.toMatchObject({ code: "memory_connection" });
    await expect(sql.query("SELECT 1")).rejects.toMatchObject({ code: "memory_connection" });
  } finally {
    await sql.close();
    server.close();
  }
});

test("a server that is still starting is waited for, also by the first call", async () => {
  const starting = message("E", "SFATAL\0C57P03\0Mthe database system is starting up\0\0");
  const refused = message("E", "SFATAL\0C28P01\0Mpassword authentication failed\0\0");
  let connections = 0;
  const server = createServer((socket) =>
    socket
      .on("error", () => undefined)
      .once("data", () => {
        connections += 1;
        socket.end(connections <= 3 ? starting : refused);
      }),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const sql = openPostgres(`postgres://ada@127.0.0.1:${(server.address() as AddressInfo).port}/memory`);
  try {
    await expect(sql.query("SELECT 1")).rejects.toThrow(/refused the connection \(28P01\)/);
  } finally {
    await sql.close();
    server.close();
  }
});

describe.each(serverUrls.map((server, n) => ({ name: `server ${n + 1}`, server })))("on $name", ({ server }) => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let sql: Sql;

  beforeAll(async () => {
    database = await createDatabase(server);
    sql = openPostgres(database.url, { connections: 4 });
    await sql.query("CREATE TABLE counter (name text PRIMARY KEY, n integer NOT NULL)");
    await sql.query("INSERT INTO counter VALUES ('a', 0), ('b', 0)");
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  /** The id of the server process that a transaction talks to, and how to end it from another connection. */
  const endOwn = async (tx: Pick<Sql, "query">): Promise<void> => {
    const [row] = await tx.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    await sql.query("SELECT pg_terminate_backend($1)", [row?.pid ?? 0]);
  };

  test("a server that does not know the database or the user is a clear error", async () => {
    const url = new URL(server);
    url.pathname = "/nowhere";
    await expect(openMemory(url.href)).rejects.toMatchObject({ code: "memory_connection" });
  });

  test("transactions that deadlock are all carried out", async () => {
    const add = (first: string, second: string): Promise<unknown> =>
      sql.transaction(async (tx) => {
        await tx.query("UPDATE counter SET n = n + 1 WHERE name = $1", [first]);
        await tx.query("SELECT pg_sleep(0.05)");
        await tx.query("UPDATE counter SET n = n + 1 WHERE name = $1", [second]);
      });
    await Promise.all([add("a", "b"), add("b", "a")]);
    expect(await sql.query("SELECT n FROM counter")).toEqual([{ n: 2 }, { n: 2 }]);
  });

  test("a transaction whose connection is lost before the commit is begun anew, once for all", async () => {
    let runs = 0;
    await sql.transaction(async (tx) => {
      await tx.query("UPDATE counter SET n = n + 10 WHERE name = 'a'");
      if (++runs === 1) await endOwn(tx);
      await tx.query("SELECT 1");
    });
    expect(runs).toBe(2);
    expect(await sql.query("SELECT n FROM counter WHERE name = 'a'")).toEqual([{ n: 12 }]);
  });

  test.each(["query", "transaction"] as const)(
    "a %s goes on where a pooler gave the session to another client, without its prepared statements",
    async (way) => {
      const pooled = openPostgres(database.url, { connections: 1 });
      const ask = (): Promise<unknown> =>
        way === "query" ? pooled.query("SELECT 1 AS one") : pooled.transaction((tx) => tx.query("SELECT 1 AS one"));
      for (let time = 0; time < 3; time += 1) {
        expect(await ask()).toEqual([{ one: 1 }]);
        await pooled.query("DEALLOCATE ALL");
      }
      await pooled.close();
    },
  );

  test("a connection that is lost with the commit on its way says that it is not known what was done", async () => {
    await sql.query(
      `CREATE FUNCTION end_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`,
    );
    await sql.query(
      "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON counter DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_at_commit()",
    );
    const lost = sql.transaction((tx) => tx.query("INSERT INTO counter VALUES ('c', 1)"));
    await expect(lost).rejects.toMatchObject({
      code: "memory_connection",
      message: expect.stringContaining("Cannot say whether the memory was changed"),
    });
    expect(await sql.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });
});
