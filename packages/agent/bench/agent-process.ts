/** One process of agents: `node agent-process.ts FILE EFFECTS DEPTH PATIENCE_MS`. Prints the result of the call. */
import { payingAgents } from "../src/__fixtures__/paying-agents.ts";

const [file = "", effects = "", depth = "1", patienceMs = "0"] = process.argv.slice(2);
const agents = await payingAgents(file, effects, Number(depth), Number(patienceMs));
const result = await agents.dispatch();
console.log(result.success ? "done" : result.code);
await agents.durable.close();
