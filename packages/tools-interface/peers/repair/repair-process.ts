/** Sends the damaged calls to the system named by its argument. Started by `run-repairs.ts`. */
import { isDeepStrictEqual } from "node:util";
import { NotOfferedError } from "@dispatch/check";
import { errorText } from "../torture/error-text.ts";
import { loadPeer } from "../torture/peer-loaders.ts";
import { damages, parameters, wrongCall, type Damage } from "./damages.ts";
import type { Mended, RepairReport } from "./repair-report.ts";

const { subject } = await loadPeer(process.argv[2] ?? "");
const tool = { name: "find_pages", description: "Finds pages." };

async function mend({ sent, meant }: Damage): Promise<Mended> {
  const given: unknown[] = [];
  const execute = (params: unknown): string => `${given.push(params)} calls`;
  try {
    const prepared = await subject.prepare({ ...tool, parameters, execute });
    await prepared.call(sent);
  } catch (error) {
    return NotOfferedError.isInstance(error) ? "never reaches it" : "refused";
  }
  if (given.length === 0) return "refused";
  return given.length === 1 && isDeepStrictEqual(withoutUndefined(given[0]), meant)
    ? "mended"
    : "ran with other values";
}

/** A field that is `undefined` is no field: tools cannot tell them apart by reading. */
function withoutUndefined(params: unknown): unknown {
  return JSON.parse(JSON.stringify(params)) as unknown;
}

async function explain(): Promise<RepairReport["error"]> {
  const prepared = await subject.prepare({ ...tool, parameters: wrongCall.parameters, execute: () => "ran" });
  let text: string;
  try {
    ({ text } = await prepared.call(wrongCall.sent));
  } catch (error) {
    text = errorText(error);
  }
  return { length: text.length, named: wrongCall.wrongFields.filter((field) => text.includes(field)).length };
}

const mended: Mended[] = [];
for (const damage of damages) mended.push(await mend(damage));
process.send?.({ mended, error: await explain() } satisfies RepairReport);
process.disconnect?.();
