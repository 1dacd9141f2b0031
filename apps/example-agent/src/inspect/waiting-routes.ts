import type { OpenWait } from "@dispatch/durable";
import { showArguments } from "@dispatch/tools-interface/display";
import { z } from "zod";
import { RequestError } from "./check-request.ts";
import { readBody } from "./read-body.ts";
import type { Asked, Route } from "./route.ts";

const Approval = z.object({
  key: z.string(),
  approved: z.boolean(),
  reason: z.string().max(2_000).optional(),
  edited: z.string().max(100).optional(),
});
const Outcome = z.object({ key: z.string(), happened: z.boolean() });

/** The waiting entries of the directory of `--durable`, from this process and earlier ones. */
export const WAITING_ROUTES: Readonly<Record<string, Route>> = {
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
    const answer = { approved, by: "you, on the page", ...(reason !== undefined && { reason }), ...changed };
    return isFirst(await agent.durable?.desk.answer(key, answer));
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
