import { isThenable, toPromise } from "../wait/thenable.ts";

/** Whether a person has to agree to a call, as its tool says. */
export type ApprovalRule = boolean | ((params: unknown, context: unknown) => boolean | Promise<boolean>);

/** Applies the rule. Not `=== true`: only a plain `false` may skip the approval. Throws and rejects as the rule does. */
export function asksApproval(rule: ApprovalRule, params: unknown, context: unknown): boolean | Promise<boolean> {
  if (typeof rule !== "function") return rule;
  const answer: unknown = rule(params, context);
  return isThenable(answer) ? toPromise(answer).then((settled) => settled !== false) : answer !== false;
}
