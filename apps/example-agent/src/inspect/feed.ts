import type { Entry } from "./entry.ts";

/** What pages are shown: entries, each as it is now. However often one changes, only its latest form is kept and sent. */
export interface Feed {
  /** Grows with every change. */
  readonly revision: number;
  /** Entries that were left out since there were too many, the oldest first. */
  readonly leftOut: number;
  /** Adds an entry, or takes the place of the one with its id. */
  put(entry: Entry): void;
  /** Changes an entry, if it is still there. */
  change<Kind extends Entry["kind"]>(
    kind: Kind,
    id: string,
    by: (entry: Entry & { kind: Kind }) => Entry & { kind: Kind },
  ): void;
  get(id: string): Entry | undefined;
  /** What changed after a revision, in the order in which the entries were added; 0 for all. */
  since(revision: number): readonly Entry[];
  /** Hears that something changed. Answers how to stop that. */
  listen(heard: () => void): () => void;
  /** An id that no entry has yet. */
  nextId(): string;
}

/** Entries that are kept, unless told otherwise. */
const MAX_ENTRIES = 5_000;

/**
 * An empty feed.
 *
 * @param maxEntries - Entries that are kept. Open questions are always kept.
 * @param prefix - Begins every id, so that entries of several feeds can stand on one page.
 */
export function createFeed(maxEntries = MAX_ENTRIES, prefix = ""): Feed {
  const entries = new Map<string, { readonly entry: Entry; readonly revision: number }>();
  const listeners = new Set<() => void>();
  let [revision, leftOut, lastId] = [0, 0, 0];

  const leaveOut = (): void => {
    for (const [id, { entry }] of entries) {
      if (entries.size <= maxEntries) return;
      if (("state" in entry && entry.state === "open") || entry.kind === "status") continue;
      entries.delete(id);
      leftOut += 1;
    }
  };
  const put = (entry: Entry): void => {
    entries.set(entry.id, { entry, revision: (revision += 1) });
    leaveOut();
    for (const heard of listeners) heard();
  };

  return {
    get revision() {
      return revision;
    },
    get leftOut() {
      return leftOut;
    },
    put,
    change(kind, id, by) {
      const found = entries.get(id)?.entry;
      if (found?.kind === kind) put(by(found as Parameters<typeof by>[0]));
    },
    get: (id) => entries.get(id)?.entry,
    since: (seen) => [...entries.values()].filter((kept) => kept.revision > seen).map(({ entry }) => entry),
    listen(heard) {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
    nextId: () => `${prefix}e${(lastId += 1)}`,
  };
}
