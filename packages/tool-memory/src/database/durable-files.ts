import { fsyncSync } from "node:fs";
import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import type { WalSync } from "./wal-sync.ts";

/** A node and a stream of Emscripten's file system: the part that is used. */
interface FileNode {
  readonly name: string;
  readonly parent: FileNode;
}
interface FileStream {
  readonly node: FileNode;
  readonly nfd: number;
}
type Operations = Record<string, (...args: never[]) => unknown>;

/** Emscripten's NODEFS, of which each database has its own. */
interface NodeFileSystem {
  readonly node_ops: Operations;
  readonly stream_ops: Operations & { fsync?: (stream: FileStream) => number };
  realPath(node: FileNode): string;
  tryFSOperation<Result>(work: () => Result): Result;
}

/** What changes a file or folder beside `write`. */
const CHANGES = {
  node_ops: ["setattr", "rename", "unlink", "rmdir"],
  stream_ops: ["write", "setattr"],
} as const;

const SEGMENT = /^[0-9A-F]{24}$/;

/**
 * The files of an embedded database in a folder, with PostgreSQL's own durability: PGlite's file system drops what
 * PostgreSQL asks to be synced (its `stream_ops` have no `fsync`), this one does it. Recovery after a power cut is then
 * PostgreSQL's, from its write-ahead log.
 *
 * Of the log a sync is only noted, for one sync to serve many commits: who answers for a commit waits for
 * {@link WalSync.settle}. So that nothing is on disk before the log that tells of it, every other change settles first.
 */
export function createDurableFiles(folder: string, wal: WalSync): NodeFS {
  return new (class extends NodeFS {
    override async init(pg: PGlite, options: Parameters<NodeFS["init"]>[1]) {
      const { emscriptenOpts } = await super.init(pg, options);
      const preRun = [...(emscriptenOpts.preRun ?? []), (module: object) => makeDurable(module, wal)];
      return { emscriptenOpts: { ...emscriptenOpts, preRun } };
    }
  })(folder);
}

function makeDurable(module: object, wal: WalSync): void {
  const files = (module as { readonly NODEFS?: NodeFileSystem }).NODEFS;
  if (files === undefined) throw new Error("this version of PGlite does not show its file system");
  for (const kind of ["node_ops", "stream_ops"] as const) {
    for (const name of CHANGES[kind]) {
      const change = files[kind][name];
      if (change === undefined) throw new Error(`this version of PGlite has no ${name} in its file system`);
      files[kind][name] = (...args: never[]) => {
        if (!isSegment(args[0])) files.tryFSOperation(() => wal.settleNow());
        return change(...args);
      };
    }
  }
  files.stream_ops.fsync = (stream) => {
    if (isSegment(stream)) wal.note(files.realPath(stream.node));
    else {
      files.tryFSOperation(() => {
        wal.settleNow();
        fsyncSync(stream.nfd);
      });
    }
    return 0;
  };
}

/** Whether it is a stream of a segment of the write-ahead log. */
function isSegment(subject: object | undefined): boolean {
  const node = (subject as FileStream | undefined)?.node;
  return node !== undefined && SEGMENT.test(node.name) && node.parent.name === "pg_wal";
}
