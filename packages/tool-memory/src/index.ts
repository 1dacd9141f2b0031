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
} from "./block/memory-manager.ts";
export type { Applied, Conflict, Queued, SimilarBlock, WriteResult } from "./block/memory-manager.ts";
export type { Refusal } from "./text/refusal.ts";
export type { BlockState, HitExplanation, MemoryBlock, MemoryHit, MemorySummary } from "./block/memory-block.ts";
export type { MemoryHits } from "./block/memory-manager.ts";
export type { MutationOp, MutationRecord, MutationStatus, PendingMutation } from "./block/mutation.ts";
export type { MemoryActor } from "./block/memory-event.ts";
export type { Tier } from "./block/memory-block.ts";
export type { Provenance, Source, Trust } from "./block/memory-block.ts";
export type { Permission, TierPermissions } from "./block/memory-block.ts";

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
} from "./block/memory-admin.ts";
export type { Imported, ImportOptions, ImportRefusal, MemoryExport } from "./block/memory-admin.ts";
export { toJsonLines } from "./history/json-lines.ts";
export type { MemoryEvent, MemoryEventKind, Splice } from "./block/memory-event.ts";
export { replayEvents } from "./block/memory-event.ts";

export type { Approval, Approve } from "./memory/ask-approver.ts";
export type { Message, MessagePart } from "./memory/conversation.ts";
export type { LogOptions } from "./memory/log-messages.ts";
export type { JobInput, JobProposal, MemoryJob } from "./memory/propose-from.ts";
export type { Recalled, RecallOptions } from "./memory/recall.ts";
export type { SubscribeOptions } from "./memory/subscribe.ts";
export { createTrustTracker } from "./tools/trust-tracker.ts";
export type { TrustTracker, TrustTrackerOptions } from "./tools/trust-tracker.ts";
export { openMemoryStore } from "./memory/open-memory.ts";
export type { OpenMemoryStoreOptions } from "./memory/open-memory.ts";
export type { MemoryStore } from "./memory/memory-store.ts";
export type { OwnerMemory } from "./memory/owner-memory.ts";
export type { MemoryOptions, MemoryStoreOptions, OwnerOptions } from "./memory/memory-options.ts";
export { openMemory } from "./memory/open-memory.ts";
export type { OpenMemoryOptions } from "./memory/open-memory.ts";
export type { PostgresDriver } from "./postgres/postgres-sql.ts";
export { createMemory } from "./memory/create-memory.ts";
export type { LeftOut, RenderedCore, RenderOptions } from "./memory/render-core.ts";
export type { Memory } from "./memory/create-memory.ts";
export type { Retention } from "./block/memory-limits.ts";
export type { MemoryLimits } from "./block/memory-limits.ts";
export type { Embedder } from "./search/embedder.ts";
export { openAiEmbedder } from "./search/open-ai-embedder.ts";
export type { OpenAiEmbedderOptions } from "./search/open-ai-embedder.ts";
export type { CountTokens } from "./search/fit-hits.ts";
export type { Sql, SqlQuery } from "./database/database.ts";

export { MemoryError } from "./text/memory-error.ts";
export type { MemoryErrorCode } from "./text/memory-error.ts";
