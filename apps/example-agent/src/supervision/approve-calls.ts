import type { Approver as CallApprover, AnyToolRegistry } from "@dispatch/tools-interface";
import { showArguments } from "@dispatch/tools-interface/display";
import type { AgentView } from "./agent-view.ts";
import type { Approver } from "./approver.ts";
import { editableCall } from "./editable-call.ts";
import type { StandingAnswers } from "./standing-answers.ts";

/**
 * Asks an approver about every call that needs approval: calls of the model and calls of programs it wrote.
 *
 * @param standing Answers of the person that stand; they may give further ones. Default: each call is asked about.
 */
export function approveCallsBy(
  approver: Approver,
  view: Pick<AgentView, "callerOf" | "waits">,
  registry?: AnyToolRegistry,
  standing?: StandingAnswers,
): CallApprover {
  const ask: CallApprover = async ({ callId, name, params, repairs, signal, check }) => {
    const caller = view.callerOf(callId);
    const from = caller === undefined ? "" : `, from ${caller}`;
    // A question about changes of the person's own, which a rule asks about.
    const changed = repairs.some(({ kind }) => kind === "edited") ? ", as you changed it" : "";
    const text = `Let the agent call ${name}${from}${changed}?`;
    const offers = registry === undefined ? undefined : standing?.offersFor(registry.get(name), params);
    const answered = view.waits(callId);
    try {
      const edit = editableCall(registry, name, params, check);
      const prompt = { text, detail: showArguments(params), callId, edit, signal };
      const asked = offers === undefined ? prompt : { ...prompt, always: offers };
      const { always, edited, ...decision } = await approver.decide(asked);
      if (decision.approved && edited !== undefined) return { ...decision, params: edited.params };
      always?.give(approver.name);
      return decision;
    } finally {
      answered();
    }
  };
  return standing?.approver(ask) ?? ask;
}
