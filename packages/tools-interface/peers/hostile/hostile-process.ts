/** Runs the cases from an index on with one client, in a process that a case may block or end. Sends each verdict. */
import process from "node:process";
import { hostileMcpCases } from "@dispatch/tools-interface/testing";
import { subjects } from "./subjects.ts";

const [name = "", from = "0"] = process.argv.slice(2);
const subject = subjects[name];
if (subject === undefined) throw new Error(`Cannot try ${name}: there is no such client`);
// What nobody handles would end many a host; the case during which it happens is not kept.
let unhandled: string | undefined;
for (const event of ["unhandledRejection", "uncaughtException"] as const) {
  process.on(event, (thrown: unknown) => (unhandled = thrown instanceof Error ? thrown.message : String(thrown)));
}
for (const [index, one] of hostileMcpCases.entries()) {
  if (index < Number(from)) continue;
  unhandled = undefined;
  process.send?.({ index, verdict: "begun" });
  const verdict = await one.run(subject).then(
    () => (unhandled === undefined ? "passed" : `nobody handled: ${unhandled}`),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  process.send?.({ index, verdict: verdict.slice(0, 200) });
}
process.exit(0);
