export { connectMcp, type McpSource } from "./connect-mcp.ts";
export type { McpClientOptions, McpCommand, McpServerPlace, McpTransport, McpUrl } from "./mcp-client-options.ts";
export type { McpElicit, McpElicitation, McpElicitationAnswer } from "./elicitation.ts";
export type { ListedTool, McpProblem } from "./listed-tool.ts";
export { pinFile } from "./pins.ts";
export type { McpPin, McpPins } from "./pins.ts";
