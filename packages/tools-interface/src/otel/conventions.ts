/**
 * Names of the OpenTelemetry semantic conventions for generative AI, version 1.42.0-dev (repository
 * semantic-conventions-genai). Their status is "development": names may change, and then this file does.
 */
export const GEN_AI = Object.freeze({
  operationName: "gen_ai.operation.name",
  toolName: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  toolDescription: "gen_ai.tool.description",
  callId: "gen_ai.tool.call.id",
  callArguments: "gen_ai.tool.call.arguments",
  callResult: "gen_ai.tool.call.result",
  errorType: "error.type",
});

/** The conventions' name for running a tool. */
export const OPERATION = "execute_tool";
/** Tools that run on the side of the caller are functions to the conventions. */
export const TOOL_TYPE = "function";
/** The conventions' placeholder for a value that is unknown, or one of endlessly many. */
export const OTHER = "_OTHER";

/** The histogram of how long tools run. */
export const DURATION = Object.freeze({
  name: "gen_ai.execute_tool.duration",
  options: {
    description: "The duration of a single tool execution.",
    unit: "s",
    advice: {
      explicitBucketBoundaries: [
        0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
      ],
    },
  },
});
