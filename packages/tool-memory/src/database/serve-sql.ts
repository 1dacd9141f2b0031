import { chmodSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { SocketAddress } from "./socket-address.ts";
import { GREETING, onFrames, requestSchema, sendFrame, type Request } from "./sql-frames.ts";
import type { Sql, SqlQuery } from "./sql.ts";

/** Characters of one request; the longest statement of this package has a few hundred thousand. */
const MOST_CHARACTERS = 64 * 2 ** 20;
/** How long a process may leave its transaction alone, while all others wait for it, before it is rolled back. */
const PATIENCE_MS = 10_000;
/** How long transactions may go on when the holder closes. */
const FAREWELL_MS = 1_000;

/** Which transactions of other processes were committed: asked by whoever lost the answer. */
const setUp = [
  "CREATE SCHEMA IF NOT EXISTS dispatch_holder",
  "CREATE TABLE IF NOT EXISTS dispatch_holder.committed (token text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())",
  "DELETE FROM dispatch_holder.committed WHERE at < now() - interval '1 hour'",
];

/** Serving other processes. */
export interface SqlServer {
  /** Lets transactions end for a moment, then ends all connections. */
  close(): Promise<void>;
}

/** Serves a database to other processes of the same user. Nothing here keeps the process alive. */
export async function serveSql(sql: Sql, address: SocketAddress): Promise<SqlServer> {
  await sql.transaction(async (tx) => {
    for (const statement of setUp) await tx.query(statement);
  });
  const connections = new Map<Socket, () => Promise<unknown>>();
  const server = createServer((socket) => {
    socket.unref();
    connections.set(socket, serveSocket(sql, socket));
    socket.on("close", () => connections.delete(socket));
  });
  if (address.file !== undefined) rmSync(address.file, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(address.path, resolve);
  });
  server.unref();
  if (address.file !== undefined) chmodSync(address.file, 0o600);
  return {
    async close() {
      server.close();
      const ended = Promise.all([...connections.values()].map((ending) => ending()));
      await Promise.race([ended, wait(FAREWELL_MS, undefined, { ref: true })]);
      for (const socket of connections.keys()) socket.destroy();
    },
  };
}

/** @returns a function that resolves when what is under way has ended. */
function serveSocket(sql: Sql, socket: Socket): () => Promise<unknown> {
  const inbox = toInbox(socket);
  let inTransaction = false;
  const underWay = new Set<Promise<unknown>>();
  const answer = (id: number, rows: readonly object[]): void => sendFrame(socket, { id, rows: [...rows] });
  const refuse = (id: number, error: unknown): void => {
    const { message, code } = error as { message?: unknown; code?: unknown };
    sendFrame(socket, { id, error: String(message), ...(typeof code === "string" ? { code } : {}) });
  };
  const track = (work: Promise<unknown>): void => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };
  const once = async (id: number, work: () => Promise<readonly object[]>): Promise<void> =>
    work().then(
      (rows) => answer(id, rows),
      (error: unknown) => refuse(id, error),
    );
  const transaction = async (begin: Extract<Request, { op: "begin" }>): Promise<void> => {
    let last = begin.id;
    try {
      await sql.transaction(async (tx) => {
        await tx.query("INSERT INTO dispatch_holder.committed (token) VALUES ($1)", [begin.token]);
        answer(begin.id, []);
        for (;;) {
          const request = await inbox.next();
          last = request.id;
          if (request.op === "commit") return;
          if (request.op === "rollback") throw new Error("rolled back");
          if (request.op === "run") await once(request.id, () => run(tx, request));
        }
      });
      inTransaction = false;
      answer(last, []);
    } catch (error) {
      inTransaction = false;
      refuse(last, error);
    }
  };
  socket.on("error", () => undefined);
  onFrames(socket, MOST_CHARACTERS, (value) => {
    const request = requestSchema.parse(value);
    const { id, op } = request;
    if (op === "query") track(once(id, () => sql.transaction((tx) => read(tx, request))));
    else if (op === "reclaim") track(once(id, async () => (await sql.reclaim?.(), [])));
    else if ((op === "begin") === inTransaction) throw new Error("there is no transaction, or one already");
    else if (op === "begin") {
      inTransaction = true;
      track(transaction(request));
    } else inbox.deliver(request);
  });
  sendFrame(socket, { greeting: GREETING });
  return () => Promise.all(underWay);
}

function run(tx: SqlQuery, request: Extract<Request, { op: "run" | "query" }>): Promise<readonly object[]> {
  return tx.query<object>(request.text, request.params);
}

/** A statement outside a transaction may be asked again when its answer was lost, so the database sees to it that it only reads. */
async function read(tx: SqlQuery, request: Extract<Request, { op: "query" }>): Promise<readonly object[]> {
  await tx.query("SET TRANSACTION READ ONLY");
  return run(tx, request);
}

/** The requests of transactions, in their order. Waiting for the next ends with the connection, and with patience. */
function toInbox(socket: Socket): { deliver: (request: Request) => void; next: () => Promise<Request> } {
  const waiting: Request[] = [];
  let wake: (() => void) | undefined;
  socket.on("close", () => wake?.());
  return {
    deliver(request) {
      waiting.push(request);
      wake?.();
    },
    async next() {
      if (waiting.length === 0 && !socket.destroyed) {
        const timer = setTimeout(() => socket.destroy(), PATIENCE_MS);
        await new Promise<void>((resolve) => (wake = resolve));
        clearTimeout(timer);
      }
      const request = waiting.shift();
      if (request === undefined) throw new Error("the process went away");
      return request;
    },
  };
}
