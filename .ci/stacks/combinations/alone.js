import { createApprovals } from "@dispatch/policy/approvals";
import { lintTools } from "@dispatch/providers/lint";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";

const add = defineTool({
  name: "add",
  description: "Adds.",
  parameters: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
  needsApproval: true,
  execute: (params) => JSON.stringify(params),
});
const registry = createToolRegistry().register(add);
const approvals = createApprovals({ secret: "32 characters that nobody guesses" });
/** @type {string[]} */
const grants = [];
const call = { id: "1", name: "add", arguments: { a: 1 } };
await registry.dispatch(call, { approve: (request) => (grants.push(approvals.grant(request)), false) });
const result = await registry.dispatch(call, { approve: approvals.approver(grants) });
const problems = lintTools(registry, {}).filter(({ target }) => target === "openai");
console.log(String(result) === '{"a":1}' && problems.length === 0 ? "works" : `${result} ${JSON.stringify(problems)}`);
