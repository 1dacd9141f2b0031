import type { Socket } from "node:net";
import { z } from "zod";

/** Spoken when a connection starts; another one is another protocol. */
export const GREETING = "dispatch-memory/1";

const id = z.int().nonnegative();
const statement = {
  text: z.string(),
  params: z.array(z.union([z.string(), z.number(), z.null()])),
};

/** All that a process may ask of the one that has the folder open: what the `Sql` port has, and no more. */
export const requestSchema = z.discriminatedUnion("op", [
  z.strictObject({ id, op: z.literal("query"), ...statement }),
  z.strictObject({ id, op: z.literal("begin"), token: z.uuid() }),
  z.strictObject({ id, op: z.literal("run"), ...statement }),
  z.strictObject({ id, op: z.literal("commit") }),
  z.strictObject({ id, op: z.literal("rollback") }),
  z.strictObject({ id, op: z.literal("reclaim") }),
]);

/** What a process asks. `query` reads, in a transaction of its own; `run` belongs to the transaction that `begin` began. */
export type Request = z.infer<typeof requestSchema>;

const row = z.custom<object>((value) => typeof value === "object" && value !== null);

/** The answer to the request of that id. */
export const answerSchema = z.union([
  z.strictObject({ greeting: z.string() }),
  z.strictObject({ id, rows: z.array(row) }),
  z.strictObject({ id, error: z.string(), code: z.string().optional() }),
]);

/** What the holder answers. */
export type Answer = z.infer<typeof answerSchema>;

/** Sends a value as one line of JSON. */
export function sendFrame(socket: Socket, value: Request | Answer): void {
  if (socket.writable) socket.write(`${JSON.stringify(value)}\n`);
}

/**
 * Calls back for each line of JSON that comes. A line that is longer than `most` characters, or is not JSON, or that the
 * callback throws on, ends the connection: the other side does not speak this protocol.
 */
export function onFrames(socket: Socket, most: number, call: (value: unknown) => void): void {
  let begun: string[] = [];
  let length = 0;
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const lines = chunk.split("\n");
    const rest = lines.pop() ?? "";
    try {
      for (const line of lines) {
        const whole = begun.length === 0 ? line : [...begun, line].join("");
        begun = [];
        length = 0;
        if (whole.length > most) throw new Error("the line is too long");
        call(JSON.parse(whole));
      }
      if (rest === "") return;
      begun.push(rest);
      length += rest.length;
      if (length > most) throw new Error("the line is too long");
    } catch (error) {
      socket.destroy(error as Error);
    }
  });
}
