export { FailedCallError } from "./failed-call-error.ts";
export { stopLoop, toAiSdkSettings } from "./ai-sdk-settings.ts";
export type { AiSdkBrokenCall, AiSdkSettings, AiSdkStep } from "./ai-sdk-settings.ts";
export { toAiSdkTools } from "./ai-sdk-tools.ts";
export type { AiSdkDispatchOptions, AiSdkOptions } from "./ai-sdk-tools.ts";
export type { ContextOfRegistry } from "./dispatch-for-agent.ts";
export type {
  AiSdk6File,
  AiSdkCallOptions,
  AiSdkFile,
  AiSdkModelOutput,
  AiSdkOutput,
  AiSdkSchema,
  AiSdkTool,
  AiSdkTools,
} from "./ai-sdk-types.ts";
export { fromAiSdkModel } from "./ai-sdk-model.ts";
export type { AiSdkLanguageModel } from "./ai-sdk-model.ts";
