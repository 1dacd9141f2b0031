import type { MemoryAdmin } from "../block/memory-admin.ts";
import type { MemoryEvent } from "../block/memory-event.ts";
import type { MemoryManager, WriteResult } from "../block/memory-manager.ts";
import type { Policy } from "../change/decide.ts";
import type { Database } from "../database/database.ts";
import { selectLastKey, selectTier } from "../rows/block-rows.ts";
import type { EmbeddingQueues } from "../search/embedding-queue.ts";
import type { CountTokens } from "../search/fit-hits.ts";
import { MemoryError } from "../text/memory-error.ts";
import { withApprover } from "./ask-approver.ts";
import type { Message } from "./conversation.ts";
import { createAdmin } from "./create-admin.ts";
import { createManager } from "./create-manager.ts";
import { logMessages, type LogOptions } from "./log-messages.ts";
import { checkName, checkOwnerOptions, type OwnerOptions } from "./memory-options.ts";
import { type MemoryJob, proposeFrom } from "./propose-from.ts";
import { recall, type Recalled, type RecallOptions } from "./recall.ts";
import { renderCore, type RenderedCore, type RenderOptions } from "./render-core.ts";
import { subscribe, type SubscribeOptions } from "./subscribe.ts";

/** The memory of one owner. */
export interface OwnerMemory {
  /** The owner's id. */
  readonly owner: string;
  /** For the agent and its tools. */
  readonly manager: MemoryManager;
  /** The administrator's side, for a person. Keep it away from the agent. */
  readonly admin: MemoryAdmin;
  /** Renders core memory for the prompt. */
  readonly renderCore: (options?: RenderOptions) => Promise<RenderedCore>;
  /** Searches with the end of a conversation and renders the notes found for the prompt. */
  readonly recall: (messages: readonly Message[], options?: RecallOptions) => Promise<Recalled>;
  /** Writes one archival note for each message, in their order. Its results are those of the writes. */
  readonly log: (messages: readonly Message[], options?: LogOptions) => Promise<readonly WriteResult[]>;
  /** Runs a job of yours over a conversation and queues its proposals for a person, also where the agent may write. */
  readonly proposeFrom: (messages: readonly Message[], job: MemoryJob) => Promise<readonly WriteResult[]>;
  /**
   * Every event after a `seq` (0: all), oldest first, then each new one, of any process, once it is committed. Ends when the
   * loop is left, the signal is aborted or the memory is closed.
   *
   * @throws MemoryError `memory_options`; errors of the database.
   */
  readonly subscribe: (fromSeq: number, options?: SubscribeOptions) => AsyncIterable<MemoryEvent>;
  /** Resolves when every passage has its vector or the embedder has failed. Waiting for it is optional. */
  readonly settled: () => Promise<void>;
}

/** The parts that the memories of a store share. */
export interface StoreParts {
  /** The database. */
  readonly sql: Database;
  /** The search of each owner. */
  readonly queues: EmbeddingQueues;
  /** The rules. */
  readonly policy: Policy;
  /** Counts tokens. */
  readonly countTokens: CountTokens;
}

/** Makes the memory of an owner. Throws `memory_options`. */
export function createOwnerMemory(
  { sql, queues, policy, countTokens }: StoreParts,
  id: string,
  options: OwnerOptions,
): OwnerMemory {
  const owner = checkName("owner", id);
  const { source, session, actor, person, approve, readScopes } = checkOwnerOptions(options);
  const index = queues.of(owner);
  const shared = { sql: toObservedDatabase(sql, () => index.changed()), owner, session, policy };
  const agent = { ...shared, source, actor: { kind: "agent", id: actor } } as const;
  const admin = createAdmin({ ...shared, source: "person", actor: { kind: "person", id: person } });
  const search = { queues, readScopes: readScopes.filter((scope) => scope !== owner), countTokens };
  const own = createManager(agent, search);
  const manager = approve === undefined ? own : withApprover(own, admin, approve);
  const { queryChars, contentChars } = policy.limits;
  const lastKey = (prefix: string): Promise<string | null> => selectLastKey(sql, owner, prefix);
  return Object.freeze({
    owner,
    manager,
    admin,
    renderCore: async (asking = {}) => renderCore(await selectTier(sql, owner, "core"), policy.coreTrust, asking),
    recall: (messages, asking) => recall({ manager, countTokens, queryChars }, messages, asking),
    log: (messages, asking) => logMessages({ manager, lastKey, session, maxChars: contentChars }, messages, asking),
    proposeFrom: (messages, job) =>
      proposeFrom(createManager({ ...agent, proposesOnly: true }, search), messages, job, source),
    subscribe: (fromSeq, asking) => subscribe(sql, owner, checkSeq(fromSeq), asking),
    settled: () => index.settled(),
  } satisfies OwnerMemory);
}

function checkSeq(seq: number): number {
  if (Number.isSafeInteger(seq) && seq >= 0) return seq;
  throw new MemoryError(
    `Cannot subscribe to the memory: fromSeq is ${String(seq)}, allowed is 0 or the seq of an event`,
    "memory_options",
  );
}

/** A database that calls `committed` after each committed transaction. */
function toObservedDatabase(database: Database, committed: () => void): Database {
  const { perform } = database;
  return {
    ...database,
    perform:
      perform &&
      (async (work) => {
        const result = await perform(work);
        committed();
        return result;
      }),
    async transaction(work) {
      const result = await database.transaction(work);
      committed();
      return result;
    },
  };
}
