import type { Entry } from "./entry.ts";

/** The entries that pages show, each in its latest form: earlier forms are neither kept nor sent. */
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
  /** The changes after a revision, in the order in which the entries were added; 0 for all. */
  since(revision: number): readonly Entry[];
  /** Receives a notice of each change. Returns a function that stops this. */
  listen(heard: () => void): () => void;
  /** An id that no entry has yet. */
  nextId(): string;
}

/** Default number of entries kept. */
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
