import { randomUUID } from "node:crypto";
import type { OpenWait } from "@dispatch/durable";
import { createTranscript } from "@dispatch/tools-interface";
import { showArguments, oneLine } from "@dispatch/tools-interface/display";
import { z } from "zod";
import { sessionRecord } from "../session/session-record.ts";
import { editableCall, type EditableCall } from "../supervision/editable-call.ts";
import { showMutation, wordsFor } from "../supervision/review-memory.ts";
import { blockHistory } from "./block-history.ts";
import { RequestError } from "./check-request.ts";
import { readBody } from "./read-body.ts";
import type { Asked, Route } from "./route.ts";

const Edited = z.object({ arguments: z.unknown() });

/** The arguments of a call that waits for approval, to be changed, by the id of the question. */
const EDIT_ROUTES: Readonly<Record<string, Route>> = {
  "GET /api/edits/:": async (asked) => {
    const { tool, schema, params } = await editableOf(asked);
    return { tool, schema, arguments: params };
  },
  "POST /api/edits/:": async (asked) => {
    const { arguments: edited } = await readBody(asked.request, Edited);
    return asked.inspected.edits.check(asked.named, await editableOf(asked), edited);
  },
};

/** Of a question on the page, or of one that waits in the directory of `--durable`. */
async function editableOf({ inspected: { pageApprover, agent }, named }: Asked): Promise<EditableCall> {
  const open = pageApprover.editable(named);
  if (open !== undefined) return open;
  const waiting = (await agent.durable?.waiting())?.approvals.find(({ key }) => key === named);
  const editable = waiting && editableCall(agent.toolbox.registry, waiting.tool, waiting.params);
  if (editable === undefined) throw new RequestError(409, "This question is not open any more");
  return editable;
}

const MemoryVerdict = z.object({ approved: z.boolean(), reason: z.string().max(1_000).optional() });
const Undo = z.object({ seq: z.number().int().positive() });

/** The page's requests about the memory. */
const MEMORY_ROUTES: Readonly<Record<string, Route>> = {
  "GET /api/memory": showMemory,
  "GET /api/memory/block": showBlock,
  "POST /api/memory/undo": undo,
  "POST /api/memory/pending/:": decideMutation,
};

async function showMemory({ inspected: { agent } }: Asked): Promise<object> {
  const { memory, admin } = agent.toolbox;
  const [blocks, pending] = await Promise.all([memory.list(), admin.pending()]);
  return { blocks, pending: pending.map((one) => ({ ...one, ...wordsFor(one), diff: showMutation(one) })) };
}

async function showBlock({ inspected: { agent }, query }: Asked): Promise<object> {
  const { admin } = agent.toolbox;
  const label = query.get("label") ?? "";
  const [block, events] = await Promise.all([admin.get(label), admin.history(label)]);
  if (block === null && events.length === 0) throw new RequestError(404, `There is no ${oneLine(label)}`);
  return { block, history: blockHistory(block, events) };
}

async function undo({ request, inspected: { agent } }: Asked): Promise<object> {
  const { seq } = await readBody(request, Undo);
  const undone = await agent.toolbox.admin.undo(seq);
  if (undone.outcome !== "undone") throw new RequestError(409, undone.reason);
  for (const { label } of undone.events) agent.tell(`Undone: the last change of memory ${label}`);
  return {};
}

/** Answers the open approval about the change, if there is one, because its asker waits for it. */
async function decideMutation({ request, inspected: { agent, pageApprover }, named }: Asked): Promise<object> {
  const { approved, reason = "the person said no" } = await readBody(request, MemoryVerdict);
  const question = pageApprover.about(named);
  if (question !== undefined && pageApprover.decide(question, approved ? { approved } : { approved, reason }))
    return {};
  const { admin } = agent.toolbox;
  const found = (await admin.pending()).find(({ id }) => id === named);
  const done = await (approved ? admin.approve(named) : admin.reject(named, reason));
  if (done.outcome === "refused" || done.outcome === "conflict") throw new RequestError(409, done.reason);
  if (found !== undefined) agent.tell(`${approved ? "Approved" : "Rejected"}: ${wordsFor(found).about}`);
  return {};
}

const Approval = z.object({
  key: z.string(),
  approved: z.boolean(),
  reason: z.string().max(2_000).optional(),
  edited: z.string().max(100).optional(),
});
const Outcome = z.object({ key: z.string(), happened: z.boolean() });

/** The waiting entries of the directory of `--durable`, from this process and earlier ones. */
const WAITING_ROUTES: Readonly<Record<string, Route>> = {
  "GET /api/waiting": async ({ inspected: { agent } }) => {
    const { approvals = [], unknown = [] } = (await agent.durable?.waiting()) ?? {};
    const { registry } = agent.toolbox;
    const asked = approvals.map((one) => ({ ...one, editable: registry.has(one.tool) }));
    return { approvals: asked, unknown: unknown.map(shownUnknown) };
  },
  "POST /api/waiting/approval": async (asked) => {
    const { agent, edits } = asked.inspected;
    const { key, approved, reason, edited } = await readBody(asked.request, Approval);
    const changed = approved && edited !== undefined && { params: edits.take(key, edited).params };
    const decision = { approved, by: "you, on the page", ...(reason !== undefined && { reason }), ...changed };
    return isFirst(await agent.durable?.desk.answer(key, decision));
  },
  "POST /api/waiting/unknown": async (asked: Asked) => {
    const { key, happened } = await readBody(asked.request, Outcome);
    return isFirst(await asked.inspected.agent.durable?.settle(key, happened));
  },
};

const Unknown = z.object({ session: z.string(), name: z.string(), arguments: z.unknown() }).partial();

function shownUnknown({ key, question }: OpenWait): object {
  const { session, name, arguments: sent } = Unknown.safeParse(question).data ?? {};
  return { key, session, tool: name, detail: showArguments(sent) };
}

function isFirst(answered: boolean | undefined): object {
  if (answered !== true) throw new RequestError(409, "This question is not open any more");
  return {};
}

const Verdict = z.object({
  approved: z.boolean(),
  later: z.boolean().optional(),
  always: z.string().max(10).optional(),
  edited: z.string().max(100).optional(),
  reason: z.string().max(2_000).optional(),
});
const Words = z.object({ answer: z.array(z.string().max(20_000)).max(100) });
const Try = z.object({ arguments: z.unknown() });
const SessionFile = z.object({ text: z.string() });
/** The longest file that is opened, in bytes of the request. */
const MAX_FILE = 64_000_000;

/** The page's requests, by method and address. */
export const ROUTES: Readonly<Record<string, Route>> = {
  "GET /api/about": ({ inspected }) => inspected.about,
  "GET /api/entries/:": showWhole,
  "GET /api/export": ({ inspected: { agent } }) => sessionRecord(agent.model.name, agent.session),
  "GET /api/tools": showTools,
  "GET /api/turns/:": showTurn,
  "POST /api/opened": openFile,
  "POST /api/tools/:": tryTool,
  "POST /api/approvals/:": decide,
  "POST /api/questions/:": answer,
  ...EDIT_ROUTES,
  ...MEMORY_ROUTES,
  ...WAITING_ROUTES,
};

function showWhole({ inspected: { recorder, opened }, named }: Asked): object {
  const whole = (opened.recorderOf(named) ?? recorder).whole(named);
  if (whole === undefined) throw new RequestError(404, "This call is not kept any more");
  return whole;
}

function showTurn({ inspected: { recorder }, named }: Asked): object {
  const sent = recorder.turns.sent(named);
  if (sent === undefined) throw new RequestError(404, "This request is not kept any more");
  return sent;
}

function showTools({ inspected: { agent } }: Asked): object {
  const { registry } = agent.toolbox;
  return registry.toArray().map((tool) => ({ ...tool, annotations: registry.get(tool.name).annotations }));
}

/** Runs in the feed, beside the conversation and outside of it: the model does not see it, and no session keeps it. */
async function tryTool({
  request,
  inspected: { agent, feed, recorder, pageApprover, signal },
  named,
}: Asked): Promise<object> {
  const { arguments: sent } = await readBody(request, Try);
  if (!agent.toolbox.registry.has(named)) throw new RequestError(404, "There is no such tool");
  const id = `you-${randomUUID()}`;
  let entry: string | undefined;
  await new Promise<unknown>((resolve, reject) => {
    const ended = agent.dispatch(
      { id, name: named, arguments: sent },
      {
        signal,
        approver: pageApprover.approver,
        transcript: createTranscript(),
        onEvent(event) {
          recorder.event(event, "you");
          entry ??= recorder.entryOf(id);
          resolve(undefined);
        },
      },
    );
    // A call that is refused may have no event.
    ended.then(resolve, reject);
  });
  return { entry: feed.get(entry ?? "")?.id };
}

async function decide({ request, inspected: { pageApprover, edits }, named }: Asked): Promise<object> {
  const { approved, later = false, always, edited: key, reason } = await readBody(request, Verdict);
  if (key !== undefined && (!approved || always !== undefined)) {
    throw new RequestError(400, "Cannot read the answer: changed arguments can be approved for this call alone");
  }
  const edited = key === undefined ? {} : { edited: edits.take(named, key) };
  const why = reason?.trim() || (later ? "the person has not decided" : "the person said no");
  const decision = approved
    ? { approved, always, ...edited }
    : later
      ? { approved, later, reason: why }
      : { approved, reason: why };
  if (!pageApprover.decide(named, decision)) throw new RequestError(409, "This question is not open any more");
  return {};
}

async function answer({ request, inspected: { pageApprover }, named }: Asked): Promise<object> {
  const { answer: words } = await readBody(request, Words);
  if (!pageApprover.answer(named, words)) throw new RequestError(409, "This question is not open any more");
  return {};
}

async function openFile({ request, inspected: { opened } }: Asked): Promise<object> {
  const { text } = await readBody(request, SessionFile, MAX_FILE);
  try {
    return opened.open(text);
  } catch (error) {
    throw new RequestError(400, error instanceof Error ? error.message : "Cannot open the file");
  }
}
