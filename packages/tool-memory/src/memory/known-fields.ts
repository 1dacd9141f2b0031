import type { OptionNames } from "@dispatch/tools-interface/internal";
import type {
  MemoryAdmin,
  AdminMove,
  AdminWrite,
  ApproveOptions,
  HistoryOptions,
  ImportOptions,
} from "../block/memory-admin.ts";
import type {
  ChangeOptions,
  EditRequest,
  MemoryManager,
  MoveRequest,
  RemoveRequest,
  SearchOptions,
  WriteRequest,
} from "../block/memory-manager.ts";
import { checkNames } from "./memory-options.ts";

/** Of each method that takes requests or options: the names of the fields of each argument; `undefined` for one without. */
type KnownFields<Side> = { readonly [Method in keyof Side]?: readonly (object | undefined)[] };

const reason = { reason: true };
const change: OptionNames<ChangeOptions> = { reason: true, expectVersion: true, source: true };
const search: OptionNames<SearchOptions> = {
  limit: true,
  tier: true,
  maxTokens: true,
  since: true,
  before: true,
  labelPrefix: true,
  source: true,
  superseded: true,
};
const write: OptionNames<WriteRequest> = {
  ...change,
  label: true,
  content: true,
  tier: true,
  supersedes: true,
  validFrom: true,
  findSimilar: true,
};
const edit: OptionNames<EditRequest> = { ...change, label: true, offset: true, before: true, after: true };
const move: OptionNames<MoveRequest> = { ...change, label: true, newLabel: true, tier: true };
const remove: OptionNames<RemoveRequest> = { ...change, label: true };
const adminWrite: OptionNames<AdminWrite> = {
  label: true,
  content: true,
  tier: true,
  permission: true,
  reason: true,
  expectVersion: true,
  source: true,
  supersedes: true,
  validFrom: true,
};
const adminMove: OptionNames<AdminMove> = { newLabel: true, tier: true, reason: true };
const approve: OptionNames<ApproveOptions> = { content: true, version: true, supersededVersion: true, reason: true };
const history: OptionNames<HistoryOptions> = { limit: true, before: true, actor: true, session: true, since: true };
const restore: OptionNames<ImportOptions> = { restore: true, reason: true };

/** Of the agent's side. */
export const MANAGER_FIELDS: KnownFields<MemoryManager> = {
  search: [undefined, search],
  write: [write],
  edit: [edit],
  move: [move],
  remove: [remove],
  list: [{ tier: true }],
};

/** Of a person's side. */
export const ADMIN_FIELDS: KnownFields<MemoryAdmin> = {
  write: [adminWrite],
  move: [undefined, adminMove],
  remove: [undefined, reason],
  approve: [undefined, approve],
  setPermission: [undefined, undefined, reason],
  history: [undefined, history],
  undo: [{ actor: true, session: true, since: true }, reason],
  forget: [{ label: true, actor: true, match: true }],
  import: [undefined, restore],
};

/**
 * A side of a memory whose methods reject with `memory_options` for a field that there is not: a misspelt `expectVersion` would
 * otherwise be a change of any version.
 */
export function withKnownFields<Side extends MemoryManager | MemoryAdmin>(side: Side, fields: KnownFields<Side>): Side {
  const checked = { ...side } as Record<string, (...given: unknown[]) => Promise<unknown>>;
  for (const [method, names] of Object.entries(fields) as [string, readonly (object | undefined)[]][]) {
    const run = checked[method] as (...given: unknown[]) => Promise<unknown>;
    checked[method] = async (...given) => {
      for (const [at, known] of names.entries()) {
        const request = given[at];
        if (known === undefined || typeof request !== "object" || request === null || Array.isArray(request)) continue;
        checkNames(request, known, `Cannot ${method} in the memory`);
      }
      return run(...given);
    };
  }
  return Object.freeze(checked) as unknown as Side;
}
