import { oneLine } from "@dispatch/tools-interface/display";
import { z } from "zod";
import { showMutation, wordsFor } from "../supervision/review-memory.ts";
import { blockHistory } from "./block-history.ts";
import { RequestError } from "./check-request.ts";
import { readBody } from "./read-body.ts";
import type { Asked, Route } from "./route.ts";

const Verdict = z.object({ approved: z.boolean(), reason: z.string().max(1_000).optional() });
const Undo = z.object({ seq: z.number().int().positive() });

/** The page's requests about the memory. */
export const MEMORY_ROUTES: Readonly<Record<string, Route>> = {
  "GET /api/memory": showMemory,
  "GET /api/memory/block": showBlock,
  "POST /api/memory/undo": undo,
  "POST /api/memory/pending/:": decide,
};

async function showMemory({ inspected: { agent } }: Asked): Promise<object> {
  const { memory, steward } = agent.toolbox;
  const [blocks, pending] = await Promise.all([memory.list(), steward.pending()]);
  return { blocks, pending: pending.map((one) => ({ ...one, ...wordsFor(one), diff: showMutation(one) })) };
}

async function showBlock({ inspected: { agent }, query }: Asked): Promise<object> {
  const { steward } = agent.toolbox;
  const label = query.get("label") ?? "";
  const [block, events] = await Promise.all([steward.get(label), steward.history(label)]);
  if (block === null && events.length === 0) throw new RequestError(404, `There is no ${oneLine(label)}`);
  return { block, history: blockHistory(block, events) };
}

async function undo({ request, inspected: { agent } }: Asked): Promise<object> {
  const { seq } = await readBody(request, Undo);
  const undone = await agent.toolbox.steward.undo(seq);
  if (undone.outcome !== "undone") throw new RequestError(409, undone.reason);
  for (const { label } of undone.events) agent.tell(`Undone: the last change of memory ${label}`);
  return {};
}

/** Answers the open approval about the change, if there is one, because its asker waits for it. */
async function decide({ request, inspected: { agent, pageApprover }, named }: Asked): Promise<object> {
  const { approved, reason = "the person said no" } = await readBody(request, Verdict);
  const question = pageApprover.about(named);
  if (question !== undefined && pageApprover.decide(question, approved ? { approved } : { approved, reason }))
    return {};
  const { steward } = agent.toolbox;
  const found = (await steward.pending()).find(({ id }) => id === named);
  const done = await (approved ? steward.approve(named) : steward.reject(named, reason));
  if (done.outcome === "refused" || done.outcome === "conflict") throw new RequestError(409, done.reason);
  if (found !== undefined) agent.tell(`${approved ? "Approved" : "Rejected"}: ${wordsFor(found).about}`);
  return {};
}
