import type { MemoryActor } from "../block/memory-actor.ts";
import type { Source } from "../block/provenance.ts";
import type { Sql } from "../database/sql.ts";
import type { Account } from "./apply-change.ts";
import type { Policy } from "./decide.ts";

/** Whose memory, in whose name, by which rules. Bound once; every statement is given its owner. */
export interface Scope {
  /** The database. */
  readonly sql: Sql;
  /** Whose memory. */
  readonly owner: string;
  /** In whose name. */
  readonly actor: MemoryActor;
  /** In which run, `null` when none was named. */
  readonly session: string | null;
  /** Where what is written comes from when nothing else is said. */
  readonly source: Source;
  /** By which rules. */
  readonly policy: Policy;
}

/** What the history says of a change made in a scope. */
export function toAccount({ actor, session }: Scope, reason: string | null | undefined): Account {
  return { actor, session, reason: reason ?? null };
}
