import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { compileRawJsonSchema } from "../../src/schema/raw-json-schema.ts";

/** One group of tests of the suite: a schema, and values with their expected verdicts. */
interface Group {
  /** The file of the suite, named for a keyword. */
  readonly keyword: string;
  readonly description: string;
  readonly schema: object | boolean;
  readonly tests: readonly (readonly [description: string, value: unknown, isValid: boolean])[];
}

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
  readonly other: Map<string, number>;
  readonly refused: Map<string, number>;
}

function tally(file: string, $schema: string): Tally {
  const counts: Tally = { right: 0, other: new Map(), refused: new Map() };
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
      else {
        const name = keyword === "format" ? keyword : `\`${keyword}\`: ${description}, ${what}`;
        counts.other.set(name, (counts.other.get(name) ?? 0) + 1);
      }
    }
  }
  return counts;
}

test.each([
  {
    draft: "draft-7",
    $schema: "http://json-schema.org/draft-07/schema#",
    right: 896,
    refused: { "a reference to another document, a metaschema among them": 29 },
    other: {
      "`ref`: $ref prevents a sibling $id from changing the base uri, $ref resolves to /definitions/base_foo, data does not validate": 1,
      "`ref`: $ref prevents a sibling $id from changing the base uri, $ref resolves to /definitions/base_foo, data validates": 1,
    },
  },
  {
    draft: "2019-09",
    $schema: "https://json-schema.org/draft/2019-09/schema",
    right: 1180,
    refused: {
      "a reference to another document, a metaschema among them": 37,
      "an `enum` without a value, which no call could fit": 6,
      "`$recursiveRef` to a schema that depends on the value": 34,
    },
    other: {
      "`ref`: order of evaluation: $id and $anchor and $ref, data is valid against first definition": 1,
      "`vocabulary`: schema that uses custom metaschema with with no validation vocabulary, no validation: invalid number, but it still validates": 1,
    },
  },
  {
    draft: "2020-12",
    $schema: "https://json-schema.org/draft/2020-12/schema",
    right: 1193,
    refused: {
      "a reference to another document, a metaschema among them": 50,
      "`$dynamicRef`": 33,
      "an `enum` without a value, which no call could fit": 6,
    },
    other: {
      // Formats are asserted in every draft: a model reads them, and nothing else would enforce them. The draft only notes them.
      format: 15,
      "`ref`: order of evaluation: $id and $anchor and $ref, data is valid against first definition": 1,
      "`vocabulary`: schema that uses custom metaschema with with no validation vocabulary, no validation: invalid number, but it still validates": 1,
    },
  },
])(
  "plain schemas of $draft answer the official test suite as docs/tools.md says",
  ({ draft, $schema, ...expected }) => {
    const { right, other, refused } = tally(draft, $schema);
    expect({ right, refused: Object.fromEntries(refused), other: Object.fromEntries(other) }).toEqual(expected);
  },
);
