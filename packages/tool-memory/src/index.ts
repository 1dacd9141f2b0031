export { createMemoryTools, registerMemoryTools } from "./tools/memory-tools.ts";
export type { MemoryToolsOptions } from "./tools/memory-tools.ts";
export type {
  HeldMemory,
  HeldStore,
  MemoryContext,
  MemorySource,
  StoreContext,
  ToolManager,
} from "./tools/memory-access.ts";
export { createMemoryFilesTool } from "./tools/memory-files-tool.ts";
export type { MemoryFilesOptions } from "./tools/memory-files-tool.ts";

export type {
  ChangeOptions,
  EditRequest,
  ListOptions,
  MemoryManager,
  MoveRequest,
  SearchOptions,
  RemoveRequest,
  WriteRequest,
  Applied,
  Conflict,
  Queued,
  SimilarBlock,
  WriteResult,
  MemoryHits,
} from "./block/memory-manager.ts";
export type { Refusal } from "./text/refusal.ts";
export type {
  BlockState,
  HitExplanation,
  MemoryBlock,
  MemoryHit,
  MemorySummary,
  Tier,
  Provenance,
  Source,
  Trust,
  Permission,
  TierPermissions,
} from "./block/memory-block.ts";
export type { MutationOp, MutationRecord, MutationStatus, PendingMutation } from "./block/mutation.ts";
export type { MemoryActor, MemoryEvent, MemoryEventKind, Splice } from "./block/memory-event.ts";

export type {
  ApproveOptions,
  ForgetTarget,
  Forgotten,
  HistoryHead,
  HistoryOptions,
  MemoryAdmin,
  Moment,
  ReasonOption,
  Rejected,
  AdminMove,
  AdminWrite,
  UndoConflict,
  Undone,
  UndoTarget,
  Verified,
  Imported,
  ImportOptions,
  ImportRefusal,
  MemoryExport,
} from "./block/memory-admin.ts";
export { toJsonLines } from "./history/json-lines.ts";
export { replayEvents } from "./block/memory-event.ts";

export type { Approval, Approve } from "./memory/ask-approver.ts";
export type { Message, MessagePart } from "./memory/conversation.ts";
export type { LogOptions } from "./memory/log-messages.ts";
export type { JobInput, JobProposal, MemoryJob } from "./memory/propose-from.ts";
export type { Recalled, RecallOptions } from "./memory/recall.ts";
export type { SubscribeOptions } from "./memory/subscribe.ts";
export { createTrustTracker } from "./tools/trust-tracker.ts";
export type { TrustTracker, TrustTrackerOptions } from "./tools/trust-tracker.ts";
export { openMemoryStore, openMemory, createMemory } from "./memory/open-memory.ts";
export type { OpenMemoryStoreOptions, OpenMemoryOptions, MemoryStore, Memory } from "./memory/open-memory.ts";
export type { OwnerMemory } from "./memory/owner-memory.ts";
export type { MemoryOptions, MemoryStoreOptions, OwnerOptions } from "./memory/memory-options.ts";
export type { PostgresDriver } from "./postgres/postgres-sql.ts";
export type { LeftOut, RenderedCore, RenderOptions } from "./memory/render-core.ts";
export type { Retention, MemoryLimits } from "./block/memory-limits.ts";
export type { Embedder } from "./search/embedder.ts";
export { openAiEmbedder } from "./search/open-ai-embedder.ts";
export type { OpenAiEmbedderOptions } from "./search/open-ai-embedder.ts";
export type { CountTokens } from "./search/fit-hits.ts";
export type { Sql, SqlQuery } from "./database/database.ts";

export { MemoryError } from "./text/memory-error.ts";
export type { MemoryErrorCode } from "./text/memory-error.ts";
