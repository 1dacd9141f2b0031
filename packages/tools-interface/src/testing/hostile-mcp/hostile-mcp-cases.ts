import { changeCases } from "./change-cases.ts";
import type { HostileMcpCase } from "./hostile-case.ts";
import { pageCases } from "./page-cases.ts";
import { protocolCases } from "./protocol-cases.ts";
import { resultCases } from "./result-cases.ts";
import { toolCases } from "./tool-cases.ts";

/**
 * Ways in which an MCP server can be wrong or mean harm, each with what a client must keep. Each starts a server of its own on
 * the loopback interface.
 *
 * @example
 * ```ts
 * for (const { name, run } of hostileMcpCases) test(name, () => run(subject));
 * ```
 */
export const hostileMcpCases: readonly HostileMcpCase[] = [
  ...toolCases,
  ...resultCases,
  ...protocolCases,
  ...pageCases,
  ...changeCases,
];
