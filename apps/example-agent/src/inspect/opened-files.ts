import { readRecord } from "../session/read-record.ts";
import type { Entry } from "./entry.ts";
import { createFeed } from "./feed.ts";
import { recordConversation } from "./recorded-session.ts";
import { createRecorder, type Recorder } from "./recorder.ts";

/** A file that a page shows. */
interface OpenedFile {
  /** Begins the ids of its entries. */
  readonly source: string;
  readonly model: string;
  readonly entries: readonly Entry[];
}

/** Files that a page opened. The file itself is read by the browser: no request names a file on the disk. */
export interface OpenedFiles {
  /** @throws {Error} When the text is no session. */
  open(text: string): OpenedFile;
  /** The recorder with an entry of an opened file, if it is kept. */
  recorderOf(id: string): Recorder | undefined;
}

/** Entries of a file that are shown, the latest. */
const MAX_ENTRIES = 20_000;
/** Opened files that are kept. */
const MAX_OPEN = 3;

/** An empty list of opened files. */
export function createOpenedFiles(): OpenedFiles {
  const recorders = new Map<string, Recorder>();
  let last = 0;
  return {
    open(text) {
      const record = readRecord(text);
      const source = `o${(last += 1)}-`;
      const feed = createFeed(MAX_ENTRIES, source);
      const recorder = createRecorder(feed);
      recordConversation(record, recorder);
      recorders.set(source, recorder);
      const [oldest] = recorders.keys();
      if (recorders.size > MAX_OPEN && oldest !== undefined) recorders.delete(oldest);
      return { source, model: record.model, entries: feed.since(0) };
    },
    recorderOf: (id) => recorders.get(id.slice(0, id.indexOf("-") + 1)),
  };
}
