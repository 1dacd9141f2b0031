export { createDurable } from "./create-durable.ts";
export type {
  Durable,
  DurableOptions,
  DurableSession,
  OpenCall,
  ServeOptions,
  SubmittedCall,
} from "./create-durable.ts";
export type { CallIntent } from "./call-intent.ts";
export { createMemoryEngine } from "./memory-engine.ts";
export { DurableError } from "./durable-error.ts";
export type { DurableCalls, DurableRun, WaitAnswer, WaitOptions } from "@dispatch/tools-interface/internal";
export type {
  Answered,
  DurableEngine,
  DurableStep,
  DurableTranscript,
  DurableWait,
  DurableWorker,
  FoundStep,
  OpenWait,
  OpenWork,
  StepEnd,
} from "./durable-engine.ts";
