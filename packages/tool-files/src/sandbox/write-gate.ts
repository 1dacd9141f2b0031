import { SandboxError } from "../error/files-error.ts";
import { printablePath } from "../error/printable-path.ts";
import type { Awaitable } from "../file-system/file-system.ts";
import { treeNames } from "./path-segments.ts";
import { PathPolicy, type ProtectedPaths } from "./protected-paths.ts";
import type { MayWrite, WriteJournal } from "./sandbox-hooks.ts";
import type { Sandbox } from "./sandbox.ts";
import { withSandbox, type WorktreeContext } from "./worktree-context.ts";

/** A file or directory that a call has changed. */
export interface ChangedPath {
  /** Relative to the worktree, links resolved. Of a move the new path. */
  readonly path: string;
  /** The kind of change. */
  readonly kind: "created" | "changed" | "deleted" | "moved";
  /** Of a move: the former path. */
  readonly from?: string;
}

/** The argument of {@link WriteOptions.afterWrite}. */
export interface AfterWriteChange extends ChangedPath {
  /** The worktree of the call. */
  readonly worktreePath: string;
  /** Ends with the call. */
  readonly signal: AbortSignal;
}

/** Called after each change; the returned notes are shown to the model below the answer. */
export type AfterWrite = (change: AfterWriteChange) => Awaitable<string | readonly string[] | undefined>;

/** Options of the tools that write. */
export interface WriteOptions {
  /**
   * Called after each file that a call changed, within the call's time: to format it, or to answer with diagnostics.
   * Its notes reach the model, up to 8,000 characters; an error does not undo the write. Default: none.
   */
  readonly afterWrite?: AfterWrite;
  /** Rules that are added to the default ones, which protect `.git` and files that programs obey without a command. */
  readonly protectedPaths?: ProtectedPaths;
  /** Records every write before it takes place, so that it can be undone. See {@link createFileHistory}. Default: none. */
  readonly history?: WriteJournal;
}

/**
 * Applies the rules of `protectedPaths` to the tools that write. A call that leads to an `ask` path needs approval; the
 * sandbox it writes through refuses a `deny` path, and an `ask` path other than the approved one.
 */
export class WriteGate {
  readonly #policy: PathPolicy;
  /** Records writes before they take place, if the host wants that. */
  readonly journal: WriteJournal | undefined;
  /** See {@link WriteOptions.afterWrite}. */
  readonly afterWrite: AfterWrite | undefined;
  /** Places that approval was asked for, by the call's validated parameters: one object from the check to the write. */
  readonly #asked = new WeakMap<object, readonly string[]>();

  constructor({ protectedPaths, history, afterWrite }: WriteOptions = {}) {
    this.afterWrite = afterWrite;
    this.#policy = new PathPolicy(protectedPaths);
    this.journal = history;
  }

  /**
   * Whether a person has to approve a call. A path that cannot be resolved needs no approval: the write refuses it.
   * `rehearse` performs the call's steps up to the first change, in a sandbox that only records the places it would write
   * to. Default: the places that `paths` lead to.
   */
  needsApproval(
    params: object,
    { worktreePath, fileSystem }: WorktreeContext,
    paths: readonly string[],
    rehearse?: (sandbox: Sandbox) => void,
  ): boolean {
    const asked = new Set<string>();
    const note = (names: readonly string[]) => {
      if (this.#policy.ruleFor(names) === "ask") asked.add(names.join("/"));
    };
    const look = (namesOf: (path: string) => readonly string[]) => {
      for (const path of paths) ignoringFaults(() => note(namesOf(path)));
    };
    // Another file system cannot be looked at here: a link to a place that is asked about is refused by the write.
    if (fileSystem !== undefined) look((path) => treeNames(path, worktreePath, "write"));
    else
      ignoringFaults(() =>
        withSandbox(worktreePath, rehearse ?? ((sandbox) => look((path) => sandbox.resolveNames(path))), {
          mayWrite: note,
        }),
      );
    if (asked.size > 0) this.#asked.set(params, [...asked]);
    return asked.size > 0;
  }

  /** The note on a write whose previous contents the journal does not keep: it cannot be undone. Else an empty text. */
  undoNote(replacedBytes: number | undefined): string {
    const max = this.journal?.maxFileBytes;
    if (max === undefined || replacedBytes === undefined || replacedBytes <= max) return "";
    return `; it cannot be undone, the previous contents are above ${max} bytes and were not kept`;
  }

  /** Former contents of a file that have this version, if the journal keeps them. */
  recall(sandbox: Sandbox, path: string, version: string): Buffer | undefined {
    const bytes = this.journal?.recall?.(sandbox.resolvePath("."), path, version);
    return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The check of a call's writes: throws for a place that the rules deny, or that was not approved. */
  mayWrite(params: object): MayWrite {
    const asked = this.#asked.get(params) ?? [];
    return (names, attempt) => {
      const rule = this.#policy.ruleFor(names);
      const place = names.join("/");
      if (rule === "allow") return;
      if (rule === "ask" && asked.some((one) => one === place || one.startsWith(`${place}/`))) return;
      throw new SandboxError(
        rule === "ask"
          ? `${attempt}: it leads to ${printablePath(place)}, which a person has to agree to, and it was not asked for; call again with that path`
          : `${attempt}: ${printablePath(place)} is protected and not writable, use other files`,
        { code: "protected_path" },
      );
    };
  }
}

/** The call itself will report the fault. */
function ignoringFaults(act: () => void): void {
  try {
    act();
  } catch {
    // See above.
  }
}
