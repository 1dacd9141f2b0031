import type { Usage } from "../agent/conversation.ts";

/** Token counts on one line; empty when nothing was counted. */
export function describeUsage({ input, cached, output }: Usage): string {
  if (input + output === 0) return "";
  const count = (tokens: number): string => tokens.toLocaleString("en-US");
  return `${count(input)} tokens in${cached > 0 ? ` (${count(cached)} cached)` : ""}, ${count(output)} out`;
}

/** How full the model's window is, on one line. */
export function describeContext({
  tokens,
  limit,
}: {
  readonly tokens: number;
  readonly limit: number | undefined;
}): string {
  const about = Math.round(tokens / 100) / 10;
  if (limit === undefined) return `context about ${about}k tokens`;
  return `context ${Math.round((tokens / limit) * 100)} % of ${Math.round(limit / 1_000)}k tokens`;
}
