import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { createToolRegistry } from "../src/index.ts";
import { isJsonObject } from "../src/json/json.ts";
import { valuesOf } from "../src/stubs/__fixtures__/schema-values.ts";
import { damages, type GoldCall } from "./damages.ts";
import { metric } from "./measure.ts";
import { judgedTools, type JudgedTool } from "./tool-corpus.ts";

/** Calls for each tool. */
const CALLS = 3;
/** Tools made of random schemas, where no corpus is given. */
const GENERATED = process.env["DISPATCH_TOOL_CORPUS"] === undefined ? 500 : 0;
/** Names a JSON file of calls that models made, `{ tool_name, params }`, besides those made at random. */
const SENT = process.env["DISPATCH_CALL_CORPUS"];

const made =
  SENT === undefined ? [] : (JSON.parse(readFileSync(SENT, "utf8")) as { tool_name: string; params: unknown }[]);

function goldOf({ schema, accepts, source }: JudgedTool, name: string, seed: number): readonly GoldCall[] {
  const own = made.filter(({ tool_name: called }) => called === source).map(({ params }) => params);
  const drawn = fc.sample(valuesOf(schema, schema), { numRuns: CALLS * 4, seed });
  const fitting = [...own.slice(0, CALLS), ...drawn].filter(
    (params) => isJsonObject(params) && accepts(params) === true,
  );
  return fitting.slice(0, CALLS).map((params) => ({ name, schema, params }));
}

type Outcome = "right" | "asSent" | "refused" | "wrong";
type Counts = Record<Outcome, number>;
const none = (): Counts => ({ right: 0, asSent: 0, refused: 0, wrong: 0 });

/** `asSent`: the schema accepts the damaged call as it is, and the tool was given all of it. */
function outcomeOf(received: readonly unknown[], sent: unknown, gold: object, accepts: JudgedTool["accepts"]): Outcome {
  if (received.length === 0) return "refused";
  const [given] = received;
  if (isDeepStrictEqual(given, gold)) return "right";
  if (isDeepStrictEqual(given, sent) && accepts(sent) === true) return "asSent";
  const isMore =
    isJsonObject(given) && isDeepStrictEqual(given, { ...gold, ...given, ...gold }) && accepts(given) === true;
  const added = isMore ? Object.keys(given).filter((key) => !Object.hasOwn(gold, key)) : [];
  return isMore && added.every((key) => isJsonObject(sent) && Object.hasOwn(sent, key)) ? "right" : "wrong";
}

const counts = new Map<string, Counts>();
const total = none();
for (const [index, judged] of judgedTools(GENERATED).entries()) {
  const { tools, received, accepts } = judged;
  const registry = createToolRegistry().register(tools.safe);
  for (const gold of goldOf(judged, tools.safe.name, index)) {
    for (const { name, apply } of damages) {
      const sent = apply(gold);
      if (sent === undefined || isDeepStrictEqual(sent, gold.params)) continue;
      received.length = 0;
      await registry.dispatch({ name: gold.name, arguments: sent });
      const outcome = outcomeOf(received, sent, gold.params, accepts);
      const count = counts.get(name) ?? none();
      count[outcome] += 1;
      total[outcome] += 1;
      counts.set(name, count);
      if (outcome === "wrong" && count.wrong <= 2 && process.env["DISPATCH_SHOW_WRONG"] !== undefined) {
        console.error(name, JSON.stringify(sent), JSON.stringify(received), JSON.stringify(gold.schema).slice(0, 600));
      }
    }
  }
}
for (const [name, { right, asSent, refused, wrong }] of counts) {
  console.log(`${name}: ${right} right, ${asSent} as sent, ${refused} refused, ${wrong} wrong`);
}
const all = total.right + total.asSent + total.refused + total.wrong;
metric("repair.kinds", counts.size, "kinds");
metric("repair.calls", all, "calls");
metric("repair.right", (100 * total.right) / all, "%");
metric("repair.as_sent", (100 * total.asSent) / all, "%");
metric("repair.wrong", (100 * total.wrong) / all, "%");
