import { answerCases } from "./answer-cases.ts";
import { changeCases } from "./change-cases.ts";
import type { HostileMcpCase } from "./hostile-case.ts";
import { pageCases } from "./page-cases.ts";
import { protocolCases } from "./protocol-cases.ts";
import { resultCases } from "./result-cases.ts";
import { toolCases } from "./tool-cases.ts";

/**
 * Misbehaviours of an MCP server, by fault or on purpose, each with the requirement on a client. Each starts a server
 * of its own on the loopback interface.
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
  ...answerCases,
];
