/** Runs one case at a time with one client, in a process that a case may block or end. Receives indexes, sends verdicts. */
import process from "node:process";
import { hostileMcpCases } from "@dispatch/check";
import { subjects } from "./subjects.ts";

/** A client that has not ended its part after so long hangs. */
const HANG_MS = 10_000;

const [name = ""] = process.argv.slice(2);
const subject = subjects[name];
if (subject === undefined) throw new Error(`Cannot try ${name}: there is no such client`);
// An unhandled error would end many a host; the case during which it happens is recorded as failed.
let unhandled: string | undefined;
for (const event of ["unhandledRejection", "uncaughtException"] as const) {
  process.on(event, (thrown: unknown) => (unhandled = textOf(thrown)));
}
process.on("message", (index: number) => {
  unhandled = undefined;
  void verdictOf(index).then((verdict) => process.send?.(verdict.slice(0, 200)));
});
process.send?.("ready");
process.on("disconnect", () => process.exit(0));

async function verdictOf(index: number): Promise<string> {
  try {
    await hostileMcpCases[index]?.run(subject as never, { hangMs: HANG_MS });
    return unhandled === undefined ? "passed" : `nobody handled: ${unhandled}`;
  } catch (error) {
    return textOf(error);
  }
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
