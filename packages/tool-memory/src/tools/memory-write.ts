import { defineTool, failure, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { blockSchema, mutationSchema, similarSchema, tierSchema } from "../block/block-schema.ts";
import { toCaution } from "../block/caution.ts";
import type { MemoryBlock } from "../block/memory-block.ts";
import type { MemoryManager, SimilarBlock } from "../block/memory-manager.ts";
import type { PendingMutation } from "../block/mutation.ts";
import { toPromptJson } from "../text/escape-invisible.ts";
import { truncateText } from "../text/truncate-text.ts";
import { guardMemory, type MemoryAccess } from "./memory-access.ts";

/** Maximum length of a block's text in a result: the model has just written it. */
const MAX_TEXT_CHARS = 2_000;
/** Maximum length of a block's text in a conflict: the model needs the text to merge. */
const MAX_CURRENT_CHARS = 20_000;

const parameters = z.object({
  label: z
    .string()
    .describe("Names the block, such as user/preferences. A block that exists is changed, otherwise one is created."),
  content: z
    .string()
    .describe(
      "What to remember. For a block with permission append: the addition alone. Otherwise: the whole new text, which replaces the old.",
    ),
  tier: tierSchema
    .optional()
    .describe(
      "Tier of a new block: core (about who you and the user are; a person must approve), working (current work, the default) or archival (long-term notes, added to and never rewritten). Leave it out for a block that exists.",
    ),
  reason: z
    .string()
    .optional()
    .describe("Why, in a few words. Kept in the history and shown to a person who must approve."),
  expect_version: z
    .int()
    .min(0)
    .optional()
    .describe("Write only if the block still has this version, as memory_list shows it; 0 if it must not exist yet."),
  supersedes: z
    .string()
    .optional()
    .describe(
      "Label of another block that this one takes the place of: it is kept, but no longer found unless asked for.",
    ),
  valid_from: z
    .string()
    .optional()
    .describe(
      "Since when this is true, such as 2026-01-31, if that is not now. Of facts that change, the latest is found first.",
    ),
});

const output = z.discriminatedUnion("outcome", [
  z.object({
    outcome: z.literal("applied"),
    block: blockSchema,
    similar: z.array(similarSchema).optional(),
  }),
  z.object({ outcome: z.literal("queued"), mutation: mutationSchema }),
]);

/** `memory_write`: writes to a memory, or queues the change for a person's approval. */
export function createMemoryWrite(
  { context, managerOf }: MemoryAccess<Pick<MemoryManager, "write">>,
  howToApprove?: string,
) {
  return defineTool({
    name: "memory_write",
    description:
      "Remembers a text under a label. What happens depends on the block's permission: readwrite replaces the text, append adds a line, familiar queues the change for a person to approve, readonly refuses. Read the block first when you mean to change it.",
    parameters,
    output,
    context,
    annotations: { destructive: true },
    // The permission of each block decides whether a person must approve.
    needsApproval: false,
    execute: (
      { label, content, tier, reason, expect_version: expectVersion, supersedes, valid_from: validFrom },
      run,
    ) =>
      guardMemory(
        "Write to memory failed",
        "the text may or may not have been kept: read the label before you write again",
        async () => {
          const result = await managerOf(run.context).write({
            label,
            content,
            tier,
            reason,
            expectVersion,
            source: run.context?.memorySource,
            supersedes,
            validFrom,
            findSimilar: true,
          });
          switch (result.outcome) {
            case "applied":
              return success(writtenText(result.block, result.similar), {
                data: {
                  outcome: "applied" as const,
                  block: result.block,
                  ...(result.similar !== undefined && { similar: [...result.similar] }),
                },
              });
            case "queued":
              return success(queuedText(result.mutation, howToApprove), {
                data: { outcome: "queued" as const, mutation: result.mutation },
              });
            case "refused":
              return failure(result.reason, { code: result.code });
            case "conflict":
              return failure(
                `${result.reason}. The block now: ${result.current === null ? "none" : blockText(result.current, MAX_CURRENT_CHARS)}`,
                { code: "conflict" },
              );
          }
        },
      ),
  });
}

/** Names similar blocks by label only, with a caution where it is nobody's word: their texts may be untrusted. */
function writtenText(block: MemoryBlock, similar: readonly SimilarBlock[] = []): string {
  if (similar.length === 0) return `Memory written: ${blockText(block, MAX_TEXT_CHARS)}`;
  const others = { similar: similar.map(({ preview: _, ...other }) => ({ ...toCaution(other), ...other })) };
  return `Memory written; other blocks (similar) say nearly the same or are about the same subject; if this makes one out of date, write this block again with its label as supersedes: ${blockText(block, MAX_TEXT_CHARS, others)}`;
}

function blockText(block: MemoryBlock, maxChars: number, more: object = {}): string {
  const { label, tier, permission, version, source } = block;
  const content = truncateText(block.content, maxChars);
  return toPromptJson({
    ...toCaution(block),
    label,
    tier,
    permission,
    version,
    source,
    content,
    ...(content.length < block.content.length && {
      cut: `shown are ${content.length} of ${block.content.length} characters`,
    }),
    ...more,
  });
}

/** The result that a model reads for a queued change. */
export function queuedText(queued: PendingMutation, howToApprove?: string): string {
  const { id, op, label, tier, newLabel, baseVersion, diff, reason, supersedesLabel: supersedes, validFrom } = queued;
  const mutation = toPromptJson({
    id,
    op,
    label,
    tier,
    newLabel,
    baseVersion,
    ...(supersedes !== null && { supersedes }),
    ...(validFrom !== null && { validFrom }),
    reason,
    diff: truncateText(diff, MAX_TEXT_CHARS),
  });
  return `Queued, not written yet: a person (the familiar of this memory) must approve the change. Until then the memory is as it was; do not send it again, go on and mention it to the person${howToApprove === undefined ? "" : `, who decides so: ${howToApprove}`}. Mutation: ${mutation}`;
}
