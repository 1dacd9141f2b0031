import { defineTool, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { summarySchema, tierSchema } from "../block/block-schema.ts";
import { fenceBlock } from "../block/fence-block.ts";
import type { MemoryManager } from "../block/memory-manager.ts";
import { toJsonText } from "../text/json-text.ts";
import { guardMemory } from "./guard-memory.ts";

/** Most blocks in the text of one answer; `data` has them all. */
const MOST_BLOCKS = 200;

const parameters = z.object({ tier: tierSchema.optional().describe("List this tier only.") });

const output = z.object({ blocks: z.array(summarySchema), note: z.string().optional() });

/** `memory_list`: lists what is in a memory. */
export function createMemoryList(manager: Pick<MemoryManager, "list">) {
  return defineTool({
    name: "memory_list",
    description:
      "Lists the blocks of memory as JSON: id, label, tier, permission, version, length and the beginning of the text. Use it to see what there is and what you may change; use memory_read for whole texts.",
    parameters,
    output,
    annotations: { readOnly: true, idempotent: true },
    execute: ({ tier }) =>
      guardMemory("List of memory failed", "try again once, then go on without memory and say so", async () => {
        const blocks = [...(await manager.list({ tier }))];
        const shown = blocks.slice(0, MOST_BLOCKS);
        const note = noteOn(blocks.length, tier);
        const data = { blocks, ...(note !== undefined && { note }) };
        return success(toJsonText({ ...data, blocks: shown.map(fenceBlock) }), { data });
      }),
  });
}

function noteOn(count: number, tier: string | undefined): string | undefined {
  if (count === 0)
    return `There are no blocks${tier === undefined ? "" : ` in tier ${tier}`} yet. Use memory_write to remember something.`;
  if (count <= MOST_BLOCKS) return undefined;
  return `Shown are ${MOST_BLOCKS} of ${count} blocks, the latest changed of each tier first. ${tier === undefined ? "Give a tier, or use" : "Use"} memory_read to find others.`;
}
