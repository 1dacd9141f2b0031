import { failure, type ToolFailure } from "../result/tool-result.ts";

/** The failure of a call that a person, or a program on their behalf, denied. */
export function refused(name: string, reason: string | undefined): ToolFailure {
  return denied(`${name} was denied: ${reason || "no reason was given"}. Do not repeat the same call`);
}

/** The failure of a call that may not run. It had no effects, so that it may be granted and dispatched later. */
export function denied(text: string): ToolFailure {
  return failure(text, { code: "denied", effects: "none" });
}

/** The failure of a call that a policy denies. Its rules stand in the text and, for the host, in `metadata.policy`. */
export function policyDenied(
  name: string,
  { rules, reason }: { readonly rules: readonly string[]; readonly reason?: string | undefined },
): ToolFailure {
  const by = rules.length === 0 ? "" : ` (${rules.join(", ")})`;
  const why = reason ? `: ${reason}` : "";
  return failure(`${name} was denied by policy${by}${why}. Nobody can allow this call; do not repeat it`, {
    code: "denied",
    effects: "none",
    metadata: { policy: { decision: "deny", rules } },
  });
}
