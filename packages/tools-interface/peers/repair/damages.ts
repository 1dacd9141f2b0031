import { z } from "zod";

/** The parameters of the tool in the comparison. */
export const parameters = z.object({
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
export interface Damage {
  /** The kind of damage. */
  readonly name: string;
  /** The model's parameters. */
  readonly sent: unknown;
  /** The parameters that the tool has to receive. */
  readonly meant: unknown;
}

/** The most common mistakes of models, and their possible meanings. */
export const damages: readonly Damage[] = [
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
export const wrongCall = {
  parameters: z.object({
    path: z.string().min(1),
    start_line: z.number().int().optional(),
    mode: z.enum(["text", "bytes"]).default("text"),
    tags: z.array(z.string()).optional(),
  }),
  sent: { path: 7, start_line: "x", mode: "hex" },
  wrongFields: ["path", "start_line", "mode"],
} as const;
