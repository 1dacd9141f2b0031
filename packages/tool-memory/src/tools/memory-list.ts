import { defineTool, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { summarySchema, tierSchema } from "../block/block-schema.ts";
import { toCaution } from "../block/caution.ts";
import type { MemorySummary } from "../block/memory-block.ts";
import type { MemoryManager } from "../block/memory-manager.ts";
import { ageOf } from "../text/age-of.ts";
import { toPromptJson } from "../text/escape-invisible.ts";
import { guardMemory, type MemoryAccess } from "./memory-access.ts";

/** Maximum number of blocks in the text of a result; `data` has all of them. */
const MAX_BLOCKS = 200;

const parameters = z.object({ tier: tierSchema.optional().describe("List this tier only.") });

const output = z.object({ blocks: z.array(summarySchema), note: z.string().optional() });

/** `memory_list`: lists the blocks of a memory. */
export function createMemoryList({ context, managerOf }: MemoryAccess<Pick<MemoryManager, "list">>) {
  return defineTool({
    name: "memory_list",
    description:
      "Lists the blocks of memory as JSON: label, tier, permission, version, length, age, source and the beginning of the text. Use it to see what there is and what you may change; use memory_read for whole texts.",
    parameters,
    output,
    context,
    annotations: { readOnly: true, idempotent: true },
    execute: ({ tier }, run) =>
      guardMemory("List of memory failed", "try again once, then go on without memory and say so", async () => {
        const blocks = [...(await managerOf(run.context).list({ tier }))];
        const shown = blocks.slice(0, MAX_BLOCKS);
        const note = noteOn(blocks.length, tier);
        const data = { blocks, ...(note !== undefined && { note }) };
        return success(toPromptJson({ ...data, blocks: shown.map(toShown) }), { data });
      }),
  });
}

function toShown({ updatedAt, source, trust, scope, preview, ...summary }: MemorySummary) {
  const { label, tier, permission, version, characters } = summary;
  const shared = scope !== undefined && { shared: scope };
  const shown = { label, tier, permission, version, characters, age: ageOf(updatedAt), source, ...shared, preview };
  return { ...toCaution({ source, trust }), ...shown };
}

function noteOn(count: number, tier: string | undefined): string | undefined {
  if (count === 0)
    return `There are no blocks${tier === undefined ? "" : ` in tier ${tier}`} yet. Use memory_write to remember something.`;
  if (count <= MAX_BLOCKS) return undefined;
  return `Shown are ${MAX_BLOCKS} of ${count} blocks, the latest changed of each tier first. ${tier === undefined ? "Give a tier, or use" : "Use"} memory_read to find others.`;
}
