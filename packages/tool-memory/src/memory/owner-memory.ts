import { toLabel } from "../block/label.ts";
import type { MemoryAdmin } from "../block/memory-admin.ts";
import { toAgentSource } from "../block/memory-block.ts";
import type { MemoryEvent } from "../block/memory-event.ts";
import type { MemoryManager, WriteResult, ChangeOptions } from "../block/memory-manager.ts";
import type { Scope, Policy } from "../change/apply-change.ts";
import { writeBlock } from "../change/write-block.ts";
import { aroundEach, type Database } from "../database/database.ts";
import { selectLastKey, selectTier, selectBlock, selectSummaries } from "../rows/block-rows.ts";
import type { EmbeddingQueues } from "../search/embedding-queue.ts";
import { findSimilar } from "../search/find-similar.ts";
import type { CountTokens } from "../search/fit-hits.ts";
import { MemoryError } from "../text/memory-error.ts";
import { withApprover } from "./ask-approver.ts";
import type { Message } from "./conversation.ts";
import { createAdmin } from "./create-admin.ts";
import { ADMIN_FIELDS, MANAGER_FIELDS, withKnownFields } from "./known-fields.ts";
import { logMessages, type LogOptions } from "./log-messages.ts";
import { checkName, checkNames, checkOwnerOptions, type OwnerOptions } from "./memory-options.ts";
import { type MemoryJob, proposeFrom } from "./propose-from.ts";
import { recall, type Recalled, type RecallOptions } from "./recall.ts";
import { renderCore, type RenderedCore, type RenderOptions } from "./render-core.ts";
import { searchMemory, type SearchParts } from "./search-memory.ts";
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
interface StoreParts {
  readonly sql: Database;
  readonly queues: EmbeddingQueues;
  readonly policy: Policy;
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
  const observed = aroundEach(sql, async (work, name) => {
    const result = await work();
    if (name === "perform" || name === "transaction") index.changed();
    return result;
  });
  const shared = { sql: observed, owner, session, policy };
  const agent = { ...shared, source, actor: { kind: "agent", id: actor } } as const;
  const admin = withKnownFields(
    createAdmin({ ...shared, source: "person", actor: { kind: "person", id: person } }),
    ADMIN_FIELDS,
  );
  const search = { queues, readScopes: readScopes.filter((scope) => scope !== owner), countTokens };
  const own = createManager(agent, search);
  const manager = withKnownFields(approve === undefined ? own : withApprover(own, admin, approve), MANAGER_FIELDS);
  const { queryChars, contentChars } = policy.limits;
  const lastKey = (prefix: string): Promise<string | null> => selectLastKey(sql, owner, prefix);
  return Object.freeze({
    owner,
    manager,
    admin,
    renderCore: async (asking = {}) => {
      checkNames(asking, { maxTokens: true }, "Cannot render core memory");
      return renderCore(await selectTier(sql, owner, "core"), policy.coreTrust, asking, countTokens);
    },
    recall: async (messages, asking = {}) => {
      checkNames(asking, { budget: true, limit: true, tier: true }, "Cannot recall");
      return recall({ manager, countTokens, queryChars }, messages, asking);
    },
    log: async (messages, asking = {}) => {
      checkNames(asking, { conversation: true }, "Cannot log messages");
      return logMessages({ manager, lastKey, session, maxChars: contentChars }, messages, asking);
    },
    proposeFrom: (messages, job) =>
      proposeFrom(createManager({ ...agent, proposesOnly: true }, search), messages, job, source),
    subscribe(fromSeq, asking = {}) {
      checkNames(asking, { intervalMs: true, signal: true }, "Cannot subscribe to the memory");
      return subscribe(sql, owner, checkSeq(fromSeq), asking);
    },
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

/** Makes the agent's side of a memory over a database. The actor of the scope must be the agent. */
function createManager(
  scope: Scope,
  { queues, readScopes, countTokens }: Pick<SearchParts, "queues" | "readScopes" | "countTokens">,
): MemoryManager {
  const { sql, owner, policy } = scope;
  const { limits } = policy;
  return Object.freeze({
    search: (query, options = {}) =>
      searchMemory({ sql, queues, owner, readScopes, limits, countTokens }, query, options),
    async get(label) {
      const read = toLabel(label, limits);
      return "key" in read ? selectBlock(sql, owner, read.key) : null;
    },
    // Fields are copied one by one, so that a caller cannot smuggle in a permission.
    async write({ label, content, tier, supersedes, validFrom, findSimilar: wanted = false, ...options }) {
      const proposal = {
        op: "write",
        label,
        content,
        tier,
        supersedes,
        validFrom,
        ...optionsOf(scope, options),
      } as const;
      const result = await writeBlock(scope, proposal);
      if (!wanted || result.outcome !== "applied" || result.block.version > 1) return result;
      // A write that was acknowledged has not failed because the search for others did.
      const similar = await findSimilar(sql, owner, result.block).catch(() => []);
      return similar.length === 0 ? result : { ...result, similar };
    },
    edit: ({ label, offset, before, after, ...options }) =>
      writeBlock(scope, { op: "edit", label, offset, before, after, ...optionsOf(scope, options) }),
    move: ({ label, newLabel, tier, ...options }) =>
      writeBlock(scope, { op: "move", label, newLabel, tier, ...optionsOf(scope, options) }),
    remove: ({ label, ...options }) => writeBlock(scope, { op: "remove", label, ...optionsOf(scope, options) }),
    async list({ tier } = {}) {
      const shared = readScopes.map(async (other) =>
        (await selectSummaries(sql, other, tier)).map((summary) => ({ ...summary, scope: other })),
      );
      const [own, ...others] = await Promise.all([selectSummaries(sql, owner, tier), ...shared]);
      return [...own, ...others.flat()];
    },
  } satisfies MemoryManager);
}

function optionsOf(scope: Scope, { reason, expectVersion, source }: ChangeOptions) {
  return { reason, expectVersion, source: toAgentSource(source ?? scope.source) };
}
