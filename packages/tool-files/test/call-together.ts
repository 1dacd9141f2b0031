// Calls a file tool many times at once and prints the different answers: for tests that need another process.
import { createToolRegistry } from "@dispatch/tools-interface";
import { registerFileTools } from "../src/index.ts";

const [worktreePath = "", name = "", params = "{}", count = "1"] = process.argv.slice(2);
const registry = registerFileTools(createToolRegistry());
const call = { name, arguments: JSON.parse(params) as object };
const calls = Array.from({ length: Number(count) }, () => registry.dispatch(call, { context: { worktreePath } }));
process.stdout.write(JSON.stringify([...new Set((await Promise.all(calls)).map(String))]));
