import type { Source } from "../block/memory-block.ts";
import type { MemoryActor } from "../block/memory-event.ts";
import type { Database } from "../database/database.ts";
import type { Attribution } from "./apply-change.ts";
import type { Policy } from "./decide.ts";

/** The owner, the author and the rules of all changes by one manager or admin. Bound when the memory is opened. */
export interface Scope {
  readonly sql: Database;
  /** The owner of the memory; every statement names it. */
  readonly owner: string;
  readonly actor: MemoryActor;
  /** The session, `null` when none was named. */
  readonly session: string | null;
  readonly source: Source;
  readonly policy: Policy;
  /** Every write is queued for a person, also one that a permission allows. Default false. */
  readonly proposesOnly?: boolean | undefined;
}

/** A scope without its database: plain data. */
export type Rules = Omit<Scope, "sql">;

/** The author and reason that the history records for a change in a scope. */
export function toAttribution({ actor, session }: Rules, reason: string | null | undefined): Attribution {
  return { actor, session, reason: reason ?? null };
}
