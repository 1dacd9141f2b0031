/** `node durable-process.ts URL TOKEN FILE` makes one durable call of a server's tool, and says on stdout how it goes on. */
import process from "node:process";
import { createDurable } from "@dispatch/durable";
import { openSqliteEngine } from "@dispatch/durable/sqlite";
import { createToolRegistry } from "@dispatch/tools-interface";
import { connectMcp } from "../index.ts";

const [, , url = "", token = "", file = ""] = process.argv;
const source = connectMcp("far", { url, headers: { Authorization: `Bearer ${token}` } });
const registry = createToolRegistry().register(await source.tools());
const engine = await openSqliteEngine(file);
const result = await registry.dispatch(
  { id: "toolu_01B7Qb2xVWeR3oD5dHkYz9aS", name: "far__build", params: { target: "all" } },
  {
    approve: () => true,
    durable: createDurable(engine).session("chat"),
    onEvent(event) {
      if (event.type === "call-progress") process.stdout.write(`${event.update.message}\n`);
    },
  },
);
process.stdout.write(`${String(result)}\n`);
await engine.close();
await source.close();
