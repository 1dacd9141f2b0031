import { unknownOption, type OptionNames } from "@dispatch/tools-interface/internal";
import {
  DEFAULT_PERMISSIONS,
  PERMISSIONS,
  type TierPermissions,
  type Source,
  SOURCES,
  type Trust,
  TRUST_LEVELS,
  TIERS,
} from "../block/memory-block.ts";
import { toLimits, type MemoryLimits, type Retention } from "../block/memory-limits.ts";
import type { Embedder } from "../search/embedder.ts";
import { countByChars, type CountTokens } from "../search/fit-hits.ts";
import { MemoryError } from "../text/memory-error.ts";
import type { Approve } from "./ask-approver.ts";

/** Each scope is a search of its own. */
const MAX_SCOPES = 16;

/** Options that hold for one use of an owner's memory. */
export interface OwnerOptions {
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
  /**
   * Ids of other owners, 16 at most, whose memories `search` and `list` show as well, such as a team's: read only, each hit marked
   * with its `scope`. Everything else is about the owner's own memory. Default: none.
   */
  readonly readScopes?: readonly string[] | undefined;
  /** Asks a person about each proposal when it is made. Default: proposals wait for `admin.approve`. */
  readonly approve?: Approve | undefined;
}

/** Options of a store: they hold for all its owners. */
export interface MemoryStoreOptions {
  /** The lowest trust with which a text enters core without a person's approval, and is rendered there. Default `medium`. */
  readonly coreTrust?: Trust | undefined;
  /** Permission of new blocks by tier. Default: core `familiar`, working `readwrite`, archival `append`. */
  readonly permissions?: Partial<TierPermissions> | undefined;
  /**
   * Number of partitions by the hash of the owner when the tables are created on a server, 1 to 1,024; for many owners. Does
   * not change existing tables or the tables of a directory. Default: unpartitioned.
   */
  readonly partitions?: number | undefined;
  /** Limits that differ from the defaults, for each owner. */
  readonly limits?: Partial<MemoryLimits> | undefined;
  /** Which blocks the agent's writes may remove by themselves. Default: none; a full memory refuses writes. */
  readonly retention?: Retention | undefined;
  /** Makes the vectors of the search; `none` searches by words only. Default `none`. */
  readonly embedder?: Embedder | "none" | undefined;
  /** After a change of the embedder: the previous one, which serves searches until all new vectors are made. Default: none, so searches use words meanwhile. */
  readonly previousEmbedder?: Embedder | undefined;
  /** Counts tokens: of a search, a recall and the core. Default: one token for every four characters. */
  readonly countTokens?: CountTokens | undefined;
}

/** Options of a memory of one owner. */
export interface MemoryOptions extends MemoryStoreOptions, OwnerOptions {
  /** The owner of the memory, 1 to 200 characters. Other owners' blocks cannot be reached. Default `default`. */
  readonly owner?: string | undefined;
}

/** The names of the options of one use of a memory. */
export const OWNER_OPTIONS: OptionNames<OwnerOptions> = {
  actor: true,
  person: true,
  session: true,
  source: true,
  readScopes: true,
  approve: true,
};

/** The names of the options of a store. */
export const STORE_OPTIONS: OptionNames<MemoryStoreOptions> = {
  coreTrust: true,
  permissions: true,
  partitions: true,
  limits: true,
  retention: true,
  embedder: true,
  previousEmbedder: true,
  countTokens: true,
};

/** The options of a store with their defaults. Throws `memory_options`. */
export function checkStoreOptions(options: MemoryStoreOptions) {
  const permissions: TierPermissions = Object.freeze({ ...DEFAULT_PERMISSIONS, ...options.permissions });
  checkNames(permissions, DEFAULT_PERMISSIONS);
  for (const tier of TIERS) checkOneOf(`permissions.${tier}`, permissions[tier], PERMISSIONS);
  const { coreTrust = "medium", embedder = "none" } = options;
  checkOneOf("coreTrust", coreTrust, TRUST_LEVELS);
  return {
    partitions: checkPartitions(options.partitions ?? 0),
    policy: {
      permissions,
      coreTrust,
      limits: toLimits(options.limits),
      retention: checkRetention(options.retention ?? {}),
    },
    embedder: embedder === "none" ? embedder : checkEmbedder(embedder),
    previousEmbedder: options.previousEmbedder && checkEmbedder(options.previousEmbedder),
    countTokens: options.countTokens ?? countByChars,
  };
}

/** The options of an owner with their defaults. Throws `memory_options`. */
export function checkOwnerOptions(options: OwnerOptions) {
  const { source = "agent", session, actor = "agent", person = "person", approve, readScopes = [] } = options;
  checkOneOf("source", source, SOURCES);
  return {
    source,
    session: session === undefined ? null : checkName("session", session),
    actor: checkName("actor", actor),
    person: checkName("person", person),
    approve,
    readScopes: checkScopes(readScopes),
  };
}

/** Throws `memory_options`. */
function refuse(option: string, found: unknown, allowed: string): never {
  throw new MemoryError(
    `Cannot open the memory: ${option} is ${JSON.stringify(found)}, allowed is ${allowed}`,
    "memory_options",
  );
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}

function checkRetention(retention: Retention): Retention {
  checkNames(retention, { evict: true, expireDays: true });
  const { evict = false, expireDays } = retention;
  if (typeof evict === "boolean" && (expireDays === undefined || isWhole(expireDays, 1, 36_500)))
    return Object.freeze({ evict, expireDays });
  return refuse("retention", retention, "evict (true or false) and expireDays (a whole number from 1 to 36,500)");
}

function checkScopes(scopes: readonly string[]): readonly string[] {
  if (Array.isArray(scopes) && scopes.length <= MAX_SCOPES)
    return [...new Set(scopes.map((scope) => checkName("readScopes", scope)))];
  return refuse("readScopes", scopes, `a list of up to ${MAX_SCOPES} ids of owners`);
}

function checkPartitions(count: number): number {
  return isWhole(count, 0, 1_024) ? count : refuse("partitions", count, "a whole number from 1 to 1,024, or none");
}

/** Refuses options with a name that there is not. Throws `memory_options`. */
export function checkNames<Options extends object>(
  options: Options,
  names: OptionNames<Options>,
  attempt = "Cannot open the memory",
): void {
  const unknown = unknownOption(options, names);
  if (unknown !== undefined) throw new MemoryError(`${attempt}: ${unknown}`, "memory_options");
}

/** The options that have one of the names. */
export function pickOptions<Options extends object>(options: Options, names: object): Options {
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(names, name))) as Options;
}

function checkOneOf(option: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value)) refuse(option, value, `one of ${allowed.join(", ")}`);
}

/** A name that a database keeps as it is. Throws `memory_options`. */
export function checkName(option: string, name: unknown): string {
  const fits =
    typeof name === "string" && name.length >= 1 && name.length <= 200 && !name.includes("\0") && name.isWellFormed();
  if (fits) return name;
  throw new MemoryError(
    `Cannot open the memory: ${option} is not a name, allowed are 1 to 200 characters of well-formed text`,
    "memory_options",
  );
}

/** pgvector cannot index longer vectors, and no row can hold them. */
const MAX_DIMENSIONS = 2_000;

/** Checks the properties of an embedder and returns it. Throws `memory_options`. */
function checkEmbedder(embedder: Embedder): Embedder {
  const { id, dimensions, weight = 0, floor = 0, batch = 1 } = embedder;
  checkName("embedder.id", id);
  if (!isWhole(dimensions, 1, MAX_DIMENSIONS))
    refuse("embedder.dimensions", dimensions, `a whole number from 1 to ${MAX_DIMENSIONS}`);
  if (!(weight >= 0 && weight <= 1)) refuse("embedder.weight", weight, "a number from 0 to 1");
  if (!(floor >= -1 && floor <= 1)) refuse("embedder.floor", floor, "a number from -1 to 1");
  if (!isWhole(batch, 1, Infinity)) refuse("embedder.batch", batch, "a whole number from 1");
  return embedder;
}
