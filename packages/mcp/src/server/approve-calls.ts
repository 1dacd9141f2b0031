import type { Approver } from "@dispatch/tools-interface";
import { showArguments } from "@dispatch/tools-interface/display";
import type { McpUser } from "./elicitation-approver.ts";

/** Asks the client's user about every call that needs approval: calls of the model and calls of programs it wrote. */
export function approveCallsBy(user: McpUser): Approver {
  return ({ name, params, parents, signal }) => {
    const caller = parents.at(-1)?.name;
    const from = caller === undefined ? "" : `, from ${caller}`;
    return user.decide({ text: `Let the agent call ${name}${from}?`, detail: showArguments(params), signal });
  };
}
