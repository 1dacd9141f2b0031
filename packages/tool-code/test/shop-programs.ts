import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { sandbox, temporaryDirectory } from "./sandbox.ts";

export const orders = [
  { id: 1, city: "Oslo", total: 30, at: "2024-01-05" },
  { id: 2, city: "Rome", total: 20, at: "2024-02-01" },
  { id: 3, city: "Oslo", total: 12.5, at: "2024-02-09" },
];
const stubs = ["list_orders", "get_order", "fail"]
  .map((name) => `async function ${name}(params: any): Promise<any> {\n  return __callTool__("${name}", params);\n}\n`)
  .join("");
const callTool = async (name: string, params: unknown) => {
  if (name === "fail") throw Object.assign(new Error("It is closed"), { code: "closed" });
  return name === "list_orders" ? orders : orders.find(({ id }) => id === (params as { id: number }).id);
};

/** The tools of the shop, as programs are run with. */
export const shop = { stubs, callTool };

/** The intended value and output of a program. */
export interface Meant {
  readonly value?: unknown;
  readonly output?: string;
}

/**
 * Opens the shop for the tests of a file: returns a function that runs a program beside its tools and a few files, and
 * checks its value and output.
 */
export function openShop(): (code: string, meant: Meant) => Promise<void> {
  const cwd = temporaryDirectory();
  const run = sandbox({ cwd });
  mkdirSync(path.join(cwd, "lib"));
  writeFileSync(
    path.join(cwd, "lib/tax.ts"),
    'import { rate } from "./rate.ts";\nexport default (n: number) => n * rate;\n',
  );
  writeFileSync(path.join(cwd, "lib/rate.ts"), "export const rate: number = 0.25;\n");
  writeFileSync(path.join(cwd, "data.json"), '{ "rows": [1, 2] }');
  writeFileSync(path.join(cwd, "data.csv"), "name,n\na,1\nb,2\n");
  return async (code, { value, output = "" }) => {
    const outcome = await run(code, shop);
    expect([outcome.error, outcome.value, outcome.output]).toEqual([undefined, value, output]);
    expect(outcome.calls.filter(({ status }) => status === "abandoned")).toEqual([]);
  };
}
