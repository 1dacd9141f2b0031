import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { compileRawJsonSchema } from "../../src/schema/raw-json-schema.ts";
import { markdownTable } from "../markdown-table.ts";

/** One group of tests of the suite: a schema, and values with their expected verdicts. */
interface Group {
  /** The file of the suite, named for a keyword. */
  readonly keyword: string;
  readonly description: string;
  readonly schema: object | boolean;
  readonly tests: readonly (readonly [description: string, value: unknown, isValid: boolean])[];
}

const DRAFTS = [
  ["draft 7", "draft-7", "http://json-schema.org/draft-07/schema#"],
  ["2019-09", "2019-09", "https://json-schema.org/draft/2019-09/schema"],
  ["2020-12", "2020-12", "https://json-schema.org/draft/2020-12/schema"],
] as const;
const PAGE = path.join(import.meta.dirname, "../../docs/json-schema.md");

/** Reasons to refuse a schema when its tool is defined, recognised by the error's text. */
const REASONS = [
  [/\$dynamicRef/, "`$dynamicRef`"],
  [/leads nowhere in the schema/, "a reference to another document, a metaschema among them"],
  [/enum stands \[\]/, "an `enum` without a value, which no call could fit"],
  [/\$recursiveRef/, "`$recursiveRef` to a schema that depends on the value"],
  [/Unicode mode/, "a pattern that is none in Unicode mode"],
] as const;

interface Tally {
  right: number;
  readonly other: string[];
  readonly refused: Map<string, number>;
}

function tally(file: string, $schema: string): Tally {
  const counts: Tally = { right: 0, other: [], refused: new Map() };
  const lines = readFileSync(path.join(import.meta.dirname, `${file}.jsonl`), "utf8").trim();
  for (const line of lines.split("\n")) {
    const { keyword, description, schema, tests } = JSON.parse(line) as Group;
    let compiled: ReturnType<typeof compileRawJsonSchema>;
    try {
      // A tool's schema is an object, and says which draft it is of where it is not the latest.
      compiled = compileRawJsonSchema(
        typeof schema === "boolean" ? { $schema, allOf: [schema] } : { $schema, ...schema },
        "value",
      );
    } catch (error) {
      const { message } = error as Error;
      const [, reason = message] = REASONS.find(([pattern]) => pattern.test(message)) ?? [];
      counts.refused.set(reason, (counts.refused.get(reason) ?? 0) + tests.length);
      continue;
    }
    for (const [what, value, isValid] of tests) {
      const checked = compiled.validate(value);
      const isAccepted = "then" in checked ? undefined : checked.issues === undefined;
      if (isAccepted === isValid) counts.right += 1;
      else counts.other.push(`\`${keyword}\`: ${description}, ${what}`);
    }
  }
  return counts;
}

function page(): string {
  const tallies = DRAFTS.map(([name, file, $schema]) => [name, tally(file, $schema)] as const);
  const rows = tallies.map(([name, { right, other, refused }]) => {
    const count = [...refused.values()].reduce((sum, one) => sum + one, 0);
    return [name, String(right), String(other.length), String(count)];
  });
  const refusals = tallies.flatMap(([name, { refused }]) =>
    [...refused].map(([reason, count]) => [name, reason, String(count)]),
  );
  // Formats are asserted in every draft: a model reads them, and nothing else would enforce them.
  const others = tallies.flatMap(([name, { other }]) => {
    const isFormat = (one: string): boolean => one.startsWith("`format`");
    const formats = other.filter(isFormat).length;
    const note = `${name}, \`format\`: ${formats} values that are not of their format are refused; the draft only notes it`;
    return [...(formats > 0 ? [note] : []), ...other.filter((one) => !isFormat(one)).map((one) => `${name}, ${one}`)];
  });
  return `# JSON Schema

How plain JSON Schemas are read, by the required tests of the official test suite (json-schema-org/JSON-Schema-Test-Suite of
2026-08-22). Written by the test in \`peers/json-schema\`: \`npx pnpm interop\` fails where this page is not what it finds.

${markdownTable([["draft", "right", "other", "refused when the tool is defined"], ...rows])}

Refused are schemas of which it could not be said for every value whether they hold. Nothing is fetched:

${markdownTable([["draft", "what stands in the schema", "tests"], ...refusals])}

Other:

${others.map((one) => `- ${one}\n`).join("")}`;
}

test("the page says what the official test suite of JSON Schema finds", () => {
  const found = page();
  if (process.env["WRITE_PAGES"] !== undefined) writeFileSync(PAGE, found);
  expect(readFileSync(PAGE, "utf8")).toBe(found);
});
