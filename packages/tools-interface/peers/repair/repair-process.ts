/** Sends the damaged calls to the system named by its argument. Started by `compare-all.ts`. */
import { isDeepStrictEqual } from "node:util";
import { NotOfferedError } from "@dispatch/check";
import { z } from "zod";
import { errorText } from "../torture/error-text.ts";
import { loadPeer } from "../torture/peer-loaders.ts";

/** The parameters of the tool in the comparison. */
const parameters = z.object({
  query: z.string(),
  max_results: z.number().int(),
  tags: z.array(z.string()),
  filter: z.object({ lang: z.string() }),
  note: z.string().optional(),
});

const fitting = { query: "cats", max_results: 3, tags: ["a", "b"], filter: { lang: "no" } };
const text = JSON.stringify(fitting);
const { max_results: maxResults, ...others } = fitting;

/** One way in which models get a call almost right. */
interface Damage {
  /** The kind of damage. */
  readonly name: string;
  /** The model's parameters. */
  readonly sent: unknown;
  /** The parameters that the tool has to receive. */
  readonly meant: unknown;
}

/** The most common mistakes of models, and their possible meanings. */
const damages: readonly Damage[] = [
  { name: "`null` for an optional field", sent: { ...fitting, note: null }, meant: fitting },
  { name: '`"3"` for a number', sent: { ...fitting, max_results: "3" }, meant: fitting },
  { name: "JSON text for an array", sent: { ...fitting, tags: '["a","b"]' }, meant: fitting },
  { name: "JSON text for an object", sent: { ...fitting, filter: '{"lang":"no"}' }, meant: fitting },
  { name: "a scalar for an array", sent: { ...fitting, tags: "a" }, meant: { ...fitting, tags: ["a"] } },
  { name: "a field too many", sent: { ...fitting, verbose: true }, meant: fitting },
  { name: "a trailing comma", sent: `${text.slice(0, -1)},}`, meant: fitting },
  { name: "a code fence", sent: `\`\`\`json\n${text}\n\`\`\``, meant: fitting },
  { name: "arguments encoded twice", sent: JSON.stringify(text), meant: fitting },
  { name: "a key in another case", sent: { ...others, maxResults }, meant: fitting },
];

/** A call with three wrong fields. */
const wrongCall = {
  parameters: z.object({
    path: z.string().min(1),
    start_line: z.number().int().optional(),
    mode: z.enum(["text", "bytes"]).default("text"),
    tags: z.array(z.string()).optional(),
  }),
  sent: { path: 7, start_line: "x", mode: "hex" },
  wrongFields: ["path", "start_line", "mode"],
} as const;

/** The outcome of a damaged call. */
export type Mended = "mended" | "refused" | "ran with other values" | "never reaches it";

/** The results of a system on damaged calls. */
export interface RepairReport {
  /** The outcome of each damage, in their order. */
  readonly mended: readonly Mended[];
  /** The text that answers a call with three wrong fields. */
  readonly error: {
    /** Length in characters. */
    readonly length: number;
    /** How many of the wrong fields it names. */
    readonly named: number;
  };
}

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
