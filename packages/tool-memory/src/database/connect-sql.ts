import { connect, type Socket } from "node:net";
import type { SocketAddress } from "./socket-address.ts";
import { answerSchema, GREETING, onFrames, sendFrame, type Request } from "./sql-frames.ts";

/** How long the other process may take to greet: it may be clearing up after a lot was forgotten, and be one of hundreds. */
const PATIENCE_MS = 30_000;

type Asked = Request extends infer One ? (One extends Request ? Omit<One, "id"> : never) : never;

/** A connection to the process that has the folder open. */
export interface SqlConnection {
  /** Asks for something. Rejects with the database's error, or when the connection is lost. */
  ask(request: Asked): Promise<readonly object[]>;
  /** Whether it was lost: what was asked and not answered may have been done or not. */
  isLost(): boolean;
  /** Ends it. */
  end(): void;
}

/** Connects. Rejects when nobody listens, or does not greet as it should. It keeps the process alive only while it waits for an answer. */
export async function connectSql({ path }: SocketAddress): Promise<SqlConnection> {
  const socket = connect(path);
  const waiting = new Map<number, { resolve: (rows: readonly object[]) => void; reject: (error: Error) => void }>();
  let lost = false;
  let asked = 0;
  const answered = (id: number) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) socket.unref();
    return call;
  };
  await greeted(socket, (value) => {
    const answer = answerSchema.parse(value);
    if ("greeting" in answer) throw new Error("a greeting comes once");
    if ("rows" in answer) answered(answer.id)?.resolve(answer.rows);
    else answered(answer.id)?.reject(Object.assign(new Error(answer.error), { code: answer.code }));
  });
  const lose = (): void => {
    lost = true;
    for (const call of waiting.values()) call.reject(new Error("the process that has the memory open went away"));
    waiting.clear();
  };
  socket.on("close", lose);
  if (socket.destroyed) lose();
  socket.unref();
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (lost) {
          reject(new Error("the process that has the memory open went away"));
          return;
        }
        const id = ++asked;
        waiting.set(id, { resolve, reject });
        socket.ref();
        sendFrame(socket, { ...request, id });
      }),
    isLost: () => lost,
    end: () => void socket.destroy(),
  };
}

/** Resolves when the other side has greeted; what comes after goes to `call`. */
async function greeted(socket: Socket, call: (value: unknown) => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error("nobody greets")), PATIENCE_MS);
    let isGreeted = false;
    socket.on("error", reject);
    socket.on("close", () => {
      clearTimeout(timer);
      reject(new Error("nobody greets"));
    });
    onFrames(socket, Number.POSITIVE_INFINITY, (value) => {
      if (isGreeted) {
        call(value);
        return;
      }
      const first = answerSchema.parse(value);
      if (!("greeting" in first) || first.greeting !== GREETING) throw new Error("another version is spoken");
      isGreeted = true;
      clearTimeout(timer);
      resolve();
    });
  });
}
