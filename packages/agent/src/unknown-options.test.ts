import { createToolRegistry } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { scriptedAgent } from "./__fixtures__/scripted-agent.ts";
import * as agent from "./index.ts";

const spec = {
  name: "helper",
  description: "Helps.",
  instructions: "Help.",
  model: scriptedAgent(() => ({})),
  tools: createToolRegistry(),
};

test("every public function names the option that was meant", () => {
  expect(Object.keys(agent)).toEqual(["createAgentTool"]);
  const misspelt = { ...spec, budgt: {} } as object;
  expect(() => agent.createAgentTool(misspelt as never)).toThrow('found the option "budgt", did you mean "budget"');
  const budget = { turn: 3 } as object;
  expect(() => agent.createAgentTool({ ...spec, budget })).toThrow('found the option "turn", did you mean "turns"');
});
