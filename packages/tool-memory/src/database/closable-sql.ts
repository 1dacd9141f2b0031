import { MemoryError } from "../text/memory-error.ts";
import type { Sql } from "./sql.ts";

/**
 * A database that closes once, after what was under way has ended, and refuses everything from the moment it was told to.
 */
export function toClosableSql(sql: Sql): Sql {
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const track = <Result>(start: () => Promise<Result>): Promise<Result> => {
    if (closing !== undefined) {
      return Promise.reject(
        new MemoryError("Cannot use the memory: it was closed, allowed is use before close", "memory_closed"),
      );
    }
    const work = start();
    underWay.add(work);
    const done = (): void => void underWay.delete(work);
    work.then(done, done);
    return work;
  };
  return {
    query: (text, params) => track(() => sql.query(text, params)),
    transaction: (work) => track(() => sql.transaction(work)),
    reclaim: () => track(() => sql.reclaim?.() ?? Promise.resolve()),
    close: () => (closing ??= Promise.allSettled(underWay).then(() => sql.close())),
  };
}
