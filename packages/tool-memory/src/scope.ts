import type { Policy } from "./decide.ts";
import type { MemoryActor } from "./memory-actor.ts";
import type { Sql } from "./sql.ts";

/** Whose memory, in whose name, by which rules. Bound once; every statement is given its owner. */
export interface Scope {
  /** The database. */
  readonly sql: Sql;
  /** Whose memory. */
  readonly owner: string;
  /** In whose name. */
  readonly actor: MemoryActor;
  /** By which rules. */
  readonly policy: Policy;
}
