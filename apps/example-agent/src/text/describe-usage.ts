import type { Usage } from "../agent/conversation.ts";

/** Token counts on one line; empty when nothing was counted. */
export function describeUsage({ input, cached, output }: Usage): string {
  if (input + output === 0) return "";
  const count = (tokens: number): string => tokens.toLocaleString("en-US");
  return `${count(input)} tokens in${cached > 0 ? ` (${count(cached)} cached)` : ""}, ${count(output)} out`;
}
