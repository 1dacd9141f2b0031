import type { Approver as CallApprover, AnyToolRegistry } from "@dispatch/tools-interface";
import { showArguments } from "@dispatch/tools-interface/display";
import type { AgentView } from "./agent-view.ts";
import type { Approver } from "./approver.ts";
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
  const ask: CallApprover = async ({ callId, name, params, signal }) => {
    const caller = view.callerOf(callId);
    const from = caller === undefined ? "" : `, from ${caller}`;
    const text = `Let the agent call ${name}${from}?`;
    const offers = registry === undefined ? undefined : standing?.offersFor(registry.get(name), params);
    const answered = view.waits(callId);
    try {
      const prompt = { text, detail: showArguments(params), callId, signal };
      const asked = offers === undefined ? prompt : { ...prompt, always: offers };
      const { always, ...decision } = await approver.decide(asked);
      always?.give(approver.name);
      return decision;
    } finally {
      answered();
    }
  };
  return standing?.approver(ask) ?? ask;
}
