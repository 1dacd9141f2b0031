import { randomUUID } from "node:crypto";
import { createTranscript } from "@dispatch/tools-interface";
import { z } from "zod";
import { sessionRecord } from "../session/session-record.ts";
import { RequestError } from "./check-request.ts";
import { EDIT_ROUTES } from "./edit-routes.ts";
import { MEMORY_ROUTES } from "./memory-routes.ts";
import { readBody } from "./read-body.ts";
import type { Asked, Route } from "./route.ts";
import { WAITING_ROUTES } from "./waiting-routes.ts";

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
