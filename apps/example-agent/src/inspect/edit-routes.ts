import { z } from "zod";
import { editableCall, type EditableCall } from "../supervision/editable-call.ts";
import { RequestError } from "./check-request.ts";
import { readBody } from "./read-body.ts";
import type { Asked, Route } from "./route.ts";

const Edited = z.object({ arguments: z.unknown() });

/** The arguments of a call that waits for approval, to be changed, by the id of the question. */
export const EDIT_ROUTES: Readonly<Record<string, Route>> = {
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
