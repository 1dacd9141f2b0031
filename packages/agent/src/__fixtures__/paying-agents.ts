import { appendFileSync } from "node:fs";
import { createDurable, type Durable } from "@dispatch/durable";
import { openSqliteEngine } from "@dispatch/durable/sqlite";
import { createApprovalDesk, type ApprovalDesk } from "@dispatch/policy/approvals";
import { createToolRegistry, defineTool, type AnyTool, type ToolResult } from "@dispatch/tools-interface";
import { z } from "zod";
import { createAgentTool } from "../index.ts";
import { scriptedAgent } from "./scripted-agent.ts";

/** Agents inside of agents, as one process has them. */
export interface PayingAgents {
  readonly durable: Durable;
  readonly desk: ApprovalDesk;
  /** Makes the one call of this conversation, or goes on with it. */
  readonly dispatch: () => Promise<ToolResult>;
}

/**
 * Agents `depth` levels deep, each of which pays its level, with approval, and then calls the next one. Payments are lines of
 * `effects`, and so are questions to models.
 */
export async function payingAgents(
  file: string,
  effects: string,
  depth: number,
  patienceMs = 0,
): Promise<PayingAgents> {
  const durable = createDurable(await openSqliteEngine(file));
  const desk = createApprovalDesk({ engine: durable.engine });
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    parameters: z.object({ level: z.number() }),
    needsApproval: true,
    execute: ({ level }) => {
      appendFileSync(effects, `paid ${level}\n`);
      return `paid ${level}`;
    },
  });
  let deeper: AnyTool | undefined;
  for (let level = depth; level >= 1; level -= 1)
    deeper = levelOf(level, depth, [pay, ...(deeper ? [deeper] : [])], effects);
  const registry = createToolRegistry().register(deeper as AnyTool);
  const session = durable.session("chat");
  const call = { id: "toolu_01A09q90qw90lq91", name: "agent1", arguments: { task: "pay all" } };
  const approve = desk.approver({ session: "chat", patienceMs });
  return {
    durable,
    desk,
    dispatch: () => registry.dispatch(call, { approve, durable: session, transcript: session.transcript }),
  };
}

function levelOf(level: number, depth: number, tools: readonly AnyTool[], effects: string): AnyTool {
  const model = scriptedAgent(({ turn, results }) => {
    appendFileSync(effects, `asked ${level}.${turn}\n`);
    if (turn === 0) return { calls: [{ id: `call_${level}`, name: "pay", arguments: { level } }] };
    if (turn === 1 && level < depth) return { calls: [{ name: `agent${level + 1}`, arguments: { task: "go on" } }] };
    return { text: `level ${level}: ${results.join()}` };
  });
  const registry = createToolRegistry().register([...tools]) as never;
  return createAgentTool({
    name: `agent${level}`,
    description: "x",
    instructions: "x",
    model,
    tools: registry,
  }) as AnyTool;
}
