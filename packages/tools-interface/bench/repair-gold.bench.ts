import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { createToolRegistry, defineTool, type JsonSchema } from "../src/index.ts";
import { isJsonObject } from "../src/json/json.ts";
import { metric } from "./measure.ts";

/**
 * Repair of right calls, and of right calls damaged in ways for which the repairs were not written, as far as the
 * intended values are still in them. `DISPATCH_GOLD_CALLS` names a JSON file, `[{ name, description, schema, params
 * }]`, such as BFCL's ground truth: no part of the project.
 */
interface Gold {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly params: Fields;
}
type Fields = Readonly<Record<string, unknown>>;

const file = process.env["DISPATCH_GOLD_CALLS"];

/** The params with the first value for which `change` has another. */
function one(params: Fields, change: (value: unknown, key: string) => unknown): Fields | undefined {
  for (const [key, value] of Object.entries(params)) {
    const changed = change(value, key);
    if (changed !== undefined) return { ...params, [key]: changed };
  }
  return undefined;
}
function rename(params: Fields, change: (key: string) => string): Fields | undefined {
  const first = Object.keys(params).find((key) => change(key) !== key && !Object.hasOwn(params, change(key)));
  if (first === undefined) return undefined;
  return Object.fromEntries(Object.entries(params).map(([key, value]) => [key === first ? change(key) : key, value]));
}
const text = (change: (value: string) => unknown) => (value: unknown) =>
  typeof value === "string" ? change(value) : undefined;
const numeral = (change: (value: number) => unknown) => (value: unknown) =>
  typeof value === "number" ? change(value) : undefined;
const WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

const damages: Readonly<Record<string, (gold: Gold) => unknown>> = {
  "a unit after a number": ({ params }) =>
    one(
      params,
      numeral((value) => `${value} km`),
    ),
  "a number as a word": ({ params }) =>
    one(
      params,
      numeral((value) => WORDS[value]),
    ),
  "a number with separators": ({ params }) =>
    one(
      params,
      numeral((value) => (value > 999 ? value.toLocaleString("en") : undefined)),
    ),
  "a percentage": ({ params }) =>
    one(
      params,
      numeral((value) => `${value * 100}%`),
    ),
  "a number in a list": ({ params }) =>
    one(
      params,
      numeral((value) => [value]),
    ),
  "a value in an object": ({ params }) => one(params, (value) => ({ value })),
  "a value with its type": ({ params }) => one(params, (value) => ({ type: typeof value, value })),
  "yes and no": ({ params }) =>
    one(params, (value) => (typeof value === "boolean" ? (value ? "yes" : "no") : undefined)),
  "one and zero": ({ params }) => one(params, (value) => (typeof value === "boolean" ? Number(value) : undefined)),
  "a list as text with commas": ({ params }) =>
    one(params, (value) => (Array.isArray(value) ? value.join(", ") : undefined)),
  "a list as an object": ({ params }) =>
    one(params, (value) => (Array.isArray(value) ? Object.fromEntries(value.entries()) : undefined)),
  "a list in a list": ({ params }) => one(params, (value) => (Array.isArray(value) ? [value] : undefined)),
  "a text in a list": ({ params }) =>
    one(
      params,
      text((value) => [value]),
    ),
  "a text cut off": ({ params }) =>
    one(
      params,
      text((value) => (value.length > 3 ? value.slice(0, -2) : undefined)),
    ),
  "a text with a slip": ({ params }) =>
    one(
      params,
      text((value) => (value.length > 3 ? value[1]! + value[0]! + value.slice(2) : undefined)),
    ),
  "an empty text": ({ params }) =>
    one(
      params,
      text(() => ""),
    ),
  "an empty object": () => ({}),
  "without the first": ({ params }) => Object.fromEntries(Object.entries(params).slice(1)),
  "without the last": ({ params }) => Object.fromEntries(Object.entries(params).slice(0, -1)),
  "a field more": ({ params }) => ({ ...params, reasoning: "because" }),
  "a field more near another": ({ params }) => ({ ...params, [`${Object.keys(params)[0] ?? "a"}s`]: "other" }),
  "the first field without its value": ({ params }) => rename(params, (key) => `${key}: `),
  "a plural": ({ params }) => rename(params, (key) => `${key}s`),
  "a singular": ({ params }) => rename(params, (key) => (key.endsWith("s") ? key.slice(0, -1) : key)),
  "a shorter key": ({ params }) => rename(params, (key) => key.slice(0, 3)),
  "the last word of a key": ({ params }) => rename(params, (key) => key.split("_").at(-1)!),
  "the first word of a key": ({ params }) => rename(params, (key) => key.split("_")[0]!),
  "a key with the tool's name": ({ name, params }) => rename(params, (key) => `${name}_${key}`),
  "a key with dots": ({ params }) => rename(params, (key) => `params.${key}`),
  "a key with is": ({ params }) => rename(params, (key) => `is_${key}`),
  "a key with a letter less": ({ params }) =>
    rename(params, (key) => (key.length > 3 ? key.slice(0, 1) + key.slice(2) : key)),
  "a key with other letters": ({ params }) => rename(params, (key) => `${key.slice(0, -1)}x`),
  "a key reversed": ({ params }) => rename(params, (key) => key.split("_").toReversed().join("_")),
  "the values of two fields exchanged": ({ params }) => {
    const [a, b] = Object.keys(params);
    return a === undefined || b === undefined ? undefined : { ...params, [a]: params[b], [b]: params[a] };
  },
  "two keys wrong": ({ params }) => {
    const [a, b] = Object.keys(params);
    if (a === undefined || b === undefined) return undefined;
    const { [a]: first, [b]: second, ...others } = params;
    return { ...others, [`${b}_`]: second, [`the_${a}`]: first };
  },
  "all in a list": ({ params }) => [params],
  "all in arguments": ({ params }) => ({ arguments: params, id: "1" }),
  "the values alone": ({ params }) => Object.values(params),
  "the first value alone": ({ params }) => Object.values(params)[0],
  "in words": ({ params }) =>
    Object.entries(params)
      .map(([key, value]) => `${key} is ${String(value)}`)
      .join(" and "),
  "as a query": ({ params }) =>
    new URLSearchParams(Object.entries(params).map(([key, value]) => [key, String(value)])).toString(),
};

if (file === undefined) console.log("repair-gold: not measured, DISPATCH_GOLD_CALLS names no file");
else {
  const counts = { gold: 0, changed: 0, damaged: 0, right: 0, part: 0, wrong: 0 };
  for (const gold of JSON.parse(readFileSync(file, "utf8")) as readonly Gold[]) {
    let received: unknown;
    const execute = (params: unknown) => void (received = params);
    const tool = defineTool({
      name: gold.name,
      description: gold.description || "A tool.",
      parameters: gold.schema,
      execute,
    });
    const registry = createToolRegistry().register(tool);
    const whole = await registry.dispatch({ name: gold.name, params: gold.params });
    // A gold call that its own schema refuses is none.
    if (!(await tool.validate(gold.params)).success) continue;
    counts.gold += 1;
    if (whole.repairs.length > 0 || !isDeepStrictEqual(received, gold.params)) {
      counts.changed += 1;
      console.log(
        "changed",
        gold.name,
        JSON.stringify(gold.params),
        whole.repairs.map(({ message }) => message).join("; "),
      );
    }
    for (const [what, damage] of Object.entries(damages)) {
      const sent = damage(gold);
      if (sent === undefined || isDeepStrictEqual(sent, gold.params)) continue;
      counts.damaged += 1;
      received = undefined;
      const { success, repairs } = await registry.dispatch({ name: gold.name, params: sent });
      if (!success || repairs.length === 0) continue;
      const given = isJsonObject(received) ? received : {};
      const isWrong = Object.entries(given).some(([key, value]) => {
        // Values sent beside the damaged call are not repairs.
        const isAsSent = isJsonObject(sent) && Object.hasOwn(sent, key) && isDeepStrictEqual(sent[key], value);
        return !isDeepStrictEqual(value, gold.params[key]) && !isAsSent;
      });
      const isRight = !isWrong && Object.keys(gold.params).every((key) => Object.hasOwn(given, key));
      counts[isWrong ? "wrong" : isRight ? "right" : "part"] += 1;
      if (!isRight)
        console.log(
          `not right, ${what}: ${gold.name} ${JSON.stringify(sent)}: ${repairs.map(({ message }) => message).join("; ")}`,
        );
    }
  }
  metric("repair.gold.changed", counts.changed, `of_${counts.gold}`);
  metric("repair.gold.wrong", counts.wrong, `of_${counts.damaged}`);
  // Another field of the call was damaged beyond the forms that the repairs read, and its schema accepts it.
  metric("repair.gold.part", counts.part, `of_${counts.damaged}`);
  metric("repair.gold.right", counts.right, `of_${counts.damaged}`);
}
