import { toLimits, type MemoryLimits } from "../block/memory-limits.ts";
import type { MemoryManager } from "../block/memory-manager.ts";
import type { MemorySteward } from "../block/memory-steward.ts";
import { DEFAULT_PERMISSIONS, PERMISSIONS, type TierPermissions } from "../block/permission.ts";
import { SOURCES, TRUST_LEVELS, type Source, type Trust } from "../block/provenance.ts";
import { TIERS } from "../block/tier.ts";
import { toClosableDatabase } from "../database/closable-database.ts";
import type { Database } from "../database/database.ts";
import { toObservedDatabase } from "../database/observed-database.ts";
import type { Sql } from "../database/sql.ts";
import { toPostgresDatabase } from "../postgres/postgres-database.ts";
import { selectTier } from "../rows/block-rows.ts";
import { migrate } from "../schema/migrate.ts";
import { checkEmbedder } from "../search/check-embedder.ts";
import type { Embedder } from "../search/embedder.ts";
import { countByChars, type CountTokens } from "../search/fit-hits.ts";
import { hashEmbedder } from "../search/hash-embedder.ts";
import { lexicalIndex, openSearchIndex } from "../search/search-index.ts";
import { MemoryError } from "../text/memory-error.ts";
import { createManager } from "./create-manager.ts";
import { createSteward } from "./create-steward.ts";
import { renderCore, type RenderedCore, type RenderOptions } from "./render-core.ts";

/** Options of a memory. */
export interface MemoryOptions {
  /** The owner of the memory, 1 to 200 characters. Other owners' blocks cannot be reached. Default `default`. */
  readonly owner?: string | undefined;
  /** The agent's name in the history, 1 to 200 characters. Default `agent`. */
  readonly actor?: string | undefined;
  /** The person's name in the history, 1 to 200 characters. Default `person`. */
  readonly person?: string | undefined;
  /** The session in the history, 1 to 200 characters. The changes of a session can be undone together. Default: none. */
  readonly session?: string | undefined;
  /**
   * The source of the agent's texts when a write names none; at most as trusted as `agent`. Use `web` for an agent that reads
   * the web. Default `agent`.
   */
  readonly source?: Source | undefined;
  /** The lowest trust with which a text enters core without a person's approval, and is rendered there. Default `medium`. */
  readonly coreTrust?: Trust | undefined;
  /** Permission of new blocks by tier. Default: core `familiar`, working `readwrite`, archival `append`. */
  readonly permissions?: Partial<TierPermissions> | undefined;
  /**
   * Number of partitions by the hash of the owner when the tables are created on a server, 1 to 1,024; for many owners. Does
   * not change existing tables or the tables of a directory. Default: unpartitioned.
   */
  readonly partitions?: number | undefined;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<MemoryLimits> | undefined;
  /** Makes the vectors of the search; `none` searches by words only. Default `hashEmbedder()`. */
  readonly embedder?: Embedder | "none" | undefined;
  /** After a change of the embedder: the previous one, which serves searches until all new vectors are made. Default: none, so searches use words meanwhile. */
  readonly previousEmbedder?: Embedder | undefined;
  /** Counts tokens for `maxTokens` of a read. Default: one token for every four characters. */
  readonly countTokens?: CountTokens | undefined;
}

/** An open memory. */
export interface Memory {
  /** For the agent and its tools. */
  readonly manager: MemoryManager;
  /** The administrator's side, for a person. Keep it away from the agent. */
  readonly steward: MemorySteward;
  /** Renders core memory for the prompt. */
  readonly renderCore: (options?: RenderOptions) => Promise<RenderedCore>;
  /** Resolves when every passage has its vector or the embedder has failed. Waiting for it is optional. */
  readonly settled: () => Promise<void>;
  /**
   * Copies a memory of a directory, all owners, to a new directory, while it is used; `openMemory` opens the copy. Copying the
   * files of a memory that is open may give half a transaction.
   *
   * @throws MemoryError `memory_options` when the directory holds a memory already, or the memory is on a server;
   * `memory_storage`.
   */
  readonly backup: (directory: string) => Promise<void>;
  /** Waits for running operations and releases the storage. Later operations fail with `memory_closed`. A second call does nothing. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a memory in your own database and migrates it to the newest schema. `close()` also closes the database.
 *
 * @throws MemoryError `memory_options`, `memory_version`; errors of the database.
 */
export async function createMemory(sql: Sql, options: MemoryOptions = {}): Promise<Memory> {
  const { partitions } = checkMemoryOptions(options);
  const database = toPostgresDatabase(sql);
  await migrate(database, partitions);
  return createMemoryOn(database, options);
}

/** Opens a memory in a database of the newest schema. */
export async function createMemoryOn(database: Database, options: MemoryOptions): Promise<Memory> {
  const checked = checkMemoryOptions(options);
  const closable = toClosableDatabase(database);
  const { owner, session, policy, source, embedder, countTokens } = checked;
  const index =
    embedder === "none"
      ? lexicalIndex(closable, owner, "the memory has no embedder")
      : await openSearchIndex(closable, owner, embedder, checked.previousEmbedder);
  const shared = { sql: toObservedDatabase(closable, () => index.changed()), owner, session, policy };
  return Object.freeze({
    manager: createManager({ ...shared, source, actor: { kind: "agent", id: checked.actor } }, { index, countTokens }),
    steward: createSteward({ ...shared, source: "person", actor: { kind: "person", id: checked.person } }),
    renderCore: async (asked = {}) => renderCore(await selectTier(closable, owner, "core"), policy.coreTrust, asked),
    settled: () => index.settled(),
    backup: (directory) => closable.backup(directory),
    close: async () => {
      await index.stop();
      await closable.close();
    },
  } satisfies Memory);
}

/** The options with their defaults. Throws `memory_options`. */
export function checkMemoryOptions(options: MemoryOptions) {
  const permissions: TierPermissions = Object.freeze({ ...DEFAULT_PERMISSIONS, ...options.permissions });
  for (const tier of TIERS) {
    if (PERMISSIONS.includes(permissions[tier])) continue;
    throw new MemoryError(
      `Cannot open the memory: permissions.${tier} is ${JSON.stringify(permissions[tier])}, allowed are ${PERMISSIONS.join(", ")}`,
      "memory_options",
    );
  }
  const { source = "agent", coreTrust = "medium" } = options;
  checkOneOf("source", source, SOURCES);
  checkOneOf("coreTrust", coreTrust, TRUST_LEVELS);
  return {
    session: options.session === undefined ? null : checkName("session", options.session),
    source,
    owner: checkName("owner", options.owner ?? "default"),
    actor: checkName("actor", options.actor ?? "agent"),
    person: checkName("person", options.person ?? "person"),
    partitions: checkPartitions(options.partitions ?? 0),
    policy: { permissions, coreTrust, limits: toLimits(options.limits) },
    embedder: options.embedder === "none" ? options.embedder : checkEmbedder(options.embedder ?? hashEmbedder()),
    previousEmbedder: options.previousEmbedder && checkEmbedder(options.previousEmbedder),
    countTokens: options.countTokens ?? countByChars,
  };
}

function checkPartitions(count: number): number {
  if (Number.isSafeInteger(count) && count >= 0 && count <= 1_024) return count;
  throw new MemoryError(
    `Cannot open the memory: partitions is ${JSON.stringify(count)}, allowed is a whole number from 1 to 1,024, or none`,
    "memory_options",
  );
}

function checkOneOf(option: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return;
  throw new MemoryError(
    `Cannot open the memory: ${option} is ${JSON.stringify(value)}, allowed are ${allowed.join(", ")}`,
    "memory_options",
  );
}

function checkName(option: string, name: string): string {
  const fits =
    typeof name === "string" && name.length >= 1 && name.length <= 200 && !name.includes("\0") && name.isWellFormed();
  if (fits) return name;
  throw new MemoryError(
    `Cannot open the memory: ${option} is not a name, allowed are 1 to 200 characters of well-formed text`,
    "memory_options",
  );
}
