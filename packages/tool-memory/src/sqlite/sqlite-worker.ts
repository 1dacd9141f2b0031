import { parentPort, workerData } from "node:worker_threads";
import { type Answer, type Location, type Request, SqliteEngine } from "./sqlite-engine.ts";

/** The thread that has a database open, so that its work does not block the host. */
if (parentPort === null) throw new Error("this file is the program of a thread");
const port = parentPort;
const engine = new SqliteEngine(workerData as Location);

port.on("message", ({ id, request }: { readonly id: number; readonly request: Request }) => {
  const answer = (value: Answer): void => {
    port.postMessage(value);
  };
  engine.answer(request).then(
    (value) => answer({ id, value }),
    (error: unknown) => {
      const { message, errcode, code } = error as Error & { errcode?: number; code?: string };
      answer({ id, error: { message, code: errcode ?? code } });
    },
  );
});
