import type { JournalBounds, JournalRecord, JournalStore, KeptRecord } from "./journal-record.ts";

/** Keeps records as long as the process lives. */
export class MemoryJournal implements JournalStore {
  readonly #bounds: JournalBounds;
  /** In the order they were made. */
  readonly #kept = new Set<KeptRecord>();
  #bytes = 0;

  constructor(bounds: JournalBounds) {
    this.#bounds = bounds;
  }

  add(record: JournalRecord): KeptRecord {
    const kept: KeptRecord = {
      record,
      drop: () => {
        if (this.#kept.delete(kept)) this.#bytes -= record.before?.length ?? 0;
      },
    };
    this.#kept.add(kept);
    this.#bytes += record.before?.length ?? 0;
    for (const oldest of this.#kept) {
      if (this.#kept.size <= this.#bounds.maxChanges && this.#bytes <= this.#bounds.maxBytes) break;
      oldest.drop();
    }
    return kept;
  }

  newest(): Iterable<KeptRecord> {
    return [...this.#kept].toReversed();
  }
}
