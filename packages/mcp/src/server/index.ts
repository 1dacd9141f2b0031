export { serveMcp, type McpServing } from "./serve-mcp.ts";
export type {
  McpContextSource,
  McpDispatch,
  McpHttpOptions,
  McpIcon,
  McpRegistrySource,
  McpServerOptions,
  McpToolOptions,
  WithMcpContext,
} from "./mcp-server-options.ts";
export type { McpCaller, McpClientView } from "./caller.ts";
export type {
  McpChoice,
  McpDecision,
  McpForm,
  McpFormAnswer,
  McpPrompt,
  McpQuestion,
  McpUser,
} from "./elicitation-approver.ts";
export type { McpTaskCall, McpTaskOptions, McpTaskRecord, McpTaskStore } from "./tasks/tasks.ts";
