import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startChild } from "../../test/child.ts";
import { openPglite } from "./pglite-sql.ts";
import { shareDirectory } from "./share-directory.ts";
import { toSocketAddress } from "./socket-address.ts";
import type { Sql } from "./sql.ts";

let root: string;
let folder: string;
let holder: Sql;
let guest: Sql;

const never = (): Promise<Sql> => Promise.reject(new Error("somebody has it open"));

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "share-folder-"));
  folder = join(root, "memory");
  holder = await shareDirectory(folder, {}, () => openPglite(undefined));
  guest = await shareDirectory(folder, {}, never);
  await holder.query("CREATE TABLE line (text text)");
}, 60_000);
afterAll(async () => {
  await guest.close();
  await holder.close();
  rmSync(root, { recursive: true });
});

/** Sends lines to the socket as they are, and gives back what came until it was closed or `lines` lines had come. */
const say = (requests: readonly unknown[], lines: number): Promise<readonly string[]> =>
  new Promise((resolve) => {
    const socket = connect(toSocketAddress(folder)?.path ?? "");
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.split("\n").length > lines) socket.destroy();
    });
    socket.on("error", () => undefined).on("close", () => resolve(text.trimEnd().split("\n")));
    for (const request of requests)
      socket.write(`${typeof request === "string" ? request : JSON.stringify(request)}\n`);
  });

const token = "6f1a4d1c-0b6e-4a39-8f0e-0a3d5b8c7e21";

test.each([
  "not JSON",
  { id: 1, op: "exec", text: "SELECT 1", params: [] },
  { id: 1, op: "query", text: "SELECT 1", params: [{}] },
  { id: 1, op: "query", text: "SELECT 1", params: [], owner: "other" },
  { id: 1, op: "run", text: "SELECT 1", params: [] },
  { id: 1, op: "commit" },
  { id: 1, op: "begin", token: "x" },
  { id: -1, op: "reclaim" },
])("a process that says %j is cut off, and nobody else notices", async (request) => {
  expect(await say([request], 2)).toEqual(['{"greeting":"dispatch-memory/1"}']);
  expect(await guest.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("a statement outside a transaction cannot change anything, as it may be asked again", async () => {
  const [, answer] = await say([{ id: 1, op: "query", text: "INSERT INTO line VALUES ('x')", params: [] }], 2);
  expect(JSON.parse(answer ?? "")).toMatchObject({ id: 1, code: "25006" });
  await guest.query("INSERT INTO line VALUES ('by way of a transaction')");
  expect(await holder.query("SELECT text FROM line")).toEqual([{ text: "by way of a transaction" }]);
  await holder.query("DELETE FROM line");
});

test("a process that goes away inside its transaction leaves nothing and holds nobody up", async () => {
  const requests = [
    { id: 1, op: "begin", token },
    { id: 2, op: "run", text: "INSERT INTO line VALUES ($1)", params: ["lost"] },
  ];
  const answers = await say(requests, 3);
  expect(answers.slice(1).map((answer) => JSON.parse(answer) as unknown)).toEqual([
    { id: 1, rows: [] },
    { id: 2, rows: [] },
  ]);
  expect(await guest.transaction((tx) => tx.query("SELECT text FROM line"))).toEqual([]);
});

test("a transaction of a guest is known by its token once it is committed, and not before", async () => {
  const committed = (): Promise<readonly unknown[]> =>
    holder.query("SELECT token FROM dispatch_holder.committed WHERE token = $1", [token]);
  const begun = [
    { id: 1, op: "begin", token },
    { id: 2, op: "run", text: "SELECT 1", params: [] },
  ];
  await say([...begun, { id: 3, op: "rollback" }], 4);
  expect(await committed()).toEqual([]);
  await say([...begun, { id: 3, op: "commit" }], 4);
  expect(await committed()).toEqual([{ token }]);
});

test("a folder whose path is too long for a socket is shared all the same", async () => {
  const deep = join(root, "d".repeat(120), "memory");
  const first = await shareDirectory(deep, {}, () => openPglite(undefined));
  const second = await shareDirectory(deep, {}, never);
  expect(await second.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await second.close();
  await first.close();
});

test("a guest whose holder is killed while it commits is told the truth about each of its writes", async () => {
  const shared = join(root, "killed");
  const open = (): Promise<Sql> => openPglite(join(shared, "pg"));
  const rows: string[] = [];
  for (let round = 0; round < 2; round++) {
    const child = startChild(new URL("../../test/serve-directory.ts", import.meta.url), shared);
    await child.printed(1);
    const sql = await shareDirectory(shared, {}, open);
    await sql.query("CREATE TABLE IF NOT EXISTS line (text text)");
    const writes = Array.from({ length: 30 }, async (_, n) => {
      await sql.transaction((tx) => tx.query("INSERT INTO line VALUES ($1)", [`${round}.${n}`]));
      rows.push(`${round}.${n}`);
      if (n === 3 * round + 2) child.process.kill("SIGKILL");
    });
    await Promise.all(writes);
    await child.ended;
    const found = await sql.query<{ text: string }>("SELECT text FROM line");
    await sql.close();
    expect(found.map(({ text }) => text).toSorted()).toEqual(rows.toSorted());
  }
}, 120_000);
