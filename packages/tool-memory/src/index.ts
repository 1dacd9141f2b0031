export { createMemoryTools, registerMemoryTools } from "./memory-tools.ts";
export type { ToolManager } from "./memory-tools.ts";
export { createMemoryFilesTool } from "./memory-files-tool.ts";
export type { MemoryFilesOptions } from "./memory-files-tool.ts";

export type {
  ChangeOptions,
  EditRequest,
  ListOptions,
  MemoryManager,
  MoveRequest,
  ReadOptions,
  RemoveRequest,
  WriteRequest,
} from "./memory-manager.ts";
export type { Applied, Conflict, Queued, SimilarBlock, WriteResult } from "./write-result.ts";
export type { Refusal } from "./refusal.ts";
export type { BlockState, HitExplanation, MemoryBlock, MemoryHit, MemorySummary } from "./memory-block.ts";
export type { MemoryHits } from "./memory-hits.ts";
export type { MutationOp, MutationRecord, MutationStatus, PendingMutation } from "./mutation.ts";
export type { MemoryActor } from "./memory-actor.ts";
export { TIERS } from "./tier.ts";
export type { Tier } from "./tier.ts";
export { DEFAULT_PERMISSIONS, PERMISSIONS } from "./permission.ts";
export { SOURCES, TRUST_LEVELS } from "./provenance.ts";
export type { Provenance, Source, Trust } from "./provenance.ts";
export type { Permission, TierPermissions } from "./permission.ts";

export type {
  ApproveOptions,
  Forgotten,
  HistoryOptions,
  MemoryExport,
  MemorySteward,
  Moment,
  ReasonOption,
  Rejected,
  StewardMove,
  StewardWrite,
  UndoConflict,
  Undone,
  UndoTarget,
} from "./memory-steward.ts";
export type { ForgetTarget } from "./forget-blocks.ts";
export type { Imported, ImportOptions, ImportRefusal } from "./import-memory.ts";
export { toJsonLines } from "./json-lines.ts";
export type { HistoryHead, Verified } from "./verify-history.ts";
export type { MemoryEvent, MemoryEventKind, Splice } from "./memory-event.ts";
export { replayEvents } from "./replay.ts";

export { openMemory } from "./open-memory.ts";
export type { OpenMemoryOptions } from "./open-memory.ts";
export { createMemory } from "./create-memory.ts";
export type { LeftOut, RenderedCore, RenderOptions } from "./render-core.ts";
export type { Memory, MemoryOptions } from "./create-memory.ts";
export { DEFAULT_LIMITS } from "./memory-limits.ts";
export type { MemoryLimits } from "./memory-limits.ts";
export type { Embedder } from "./embedder.ts";
export { hashEmbedder } from "./hash-embedder.ts";
export { openAiEmbedder } from "./open-ai-embedder.ts";
export type { OpenAiEmbedderOptions } from "./open-ai-embedder.ts";
export type { CountTokens } from "./fit-hits.ts";
export type { Sql, SqlQuery } from "./sql.ts";

export { MemoryError } from "./memory-error.ts";
export type { MemoryErrorCode } from "./memory-error.ts";
