import { MemoryError } from "../text/memory-error.ts";
import type { Database } from "./database.ts";

/**
 * A database that closes once, after running operations have ended, and refuses everything from the moment `close` is called.
 */
export function toClosableDatabase(database: Database): Database {
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const track = <Result>(start: () => Promise<Result>): Promise<Result> => {
    if (closing !== undefined) {
      return Promise.reject(
        new MemoryError("Cannot use the memory: it was closed, allowed is use before close", "memory_closed"),
      );
    }
    const work = start();
    running.add(work);
    const done = (): void => void running.delete(work);
    work.then(done, done);
    return work;
  };
  const { perform } = database;
  return {
    dialect: database.dialect,
    perform: perform && ((work) => track(() => perform(work))),
    isReadOnly: database.isReadOnly,
    query: (text, params) => track(() => database.query(text, params)),
    change: (changes) => track(() => database.change(changes)),
    transaction: (work) => track(() => database.transaction(work)),
    openVectors: () => track(() => database.openVectors()),
    search: (owner, search) => track(() => database.search(owner, search)),
    searchWords: (owner, search) => track(() => database.searchWords(owner, search)),
    reclaim: () => track(() => database.reclaim()),
    check: () => track(() => database.check()),
    checkSearch: () => track(() => database.checkSearch()),
    backup: (directory) => track(() => database.backup(directory)),
    close: () => (closing ??= Promise.allSettled(running).then(() => database.close())),
  };
}
