import { SandboxError } from "../error/files-error.ts";
import { printablePath } from "../error/printable-path.ts";
import type { Awaitable } from "./file-system.ts";
import { openSandbox } from "./open-sandbox.ts";
import { PathPolicy, type ProtectedPaths } from "./protected-paths.ts";
import type { MayWrite } from "./sandbox-hooks.ts";
import type { Sandbox } from "./sandbox.ts";
import { treeNames } from "./tree-path.ts";
import { closeAfter, withSandbox, type WorktreeContext } from "./worktree-context.ts";
import type { WriteJournal } from "./write-journal.ts";

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

/** A sandbox that the approval check opened, for the call that follows it at once. */
interface OpenedSandbox {
  readonly worktreePath: string;
  readonly sandbox: Sandbox;
}

/**
 * Applies the rules of `protectedPaths` to the tools that write. A call that leads to an `ask` path needs approval; the
 * sandbox it writes through refuses a `deny` path, and an `ask` path other than the approved one.
 */
export class WriteGate {
  readonly #policy: PathPolicy;
  readonly #journal: WriteJournal | undefined;
  /** See {@link WriteOptions.afterWrite}. */
  readonly afterWrite: AfterWrite | undefined;
  /** Places that approval was asked for, by the call's validated parameters: one object from the check to the write. */
  readonly #asked = new WeakMap<object, readonly string[]>();
  readonly #opened = new WeakMap<object, OpenedSandbox>();

  constructor({ protectedPaths, history, afterWrite }: WriteOptions = {}) {
    this.afterWrite = afterWrite;
    this.#policy = new PathPolicy(protectedPaths);
    this.#journal = history;
  }

  /**
   * Whether a person has to approve a call. A path that cannot be resolved needs no approval: the write refuses it.
   *
   * A call without approval is carried out in the same turn of the event loop, and {@link WriteGate.withSandbox} takes over
   * the sandbox opened here. Anything that comes between (middleware, a cancelled call) finds it closed again.
   */
  needsApproval(params: object, context: WorktreeContext, path: string): boolean {
    if (context.fileSystem !== undefined) return this.#asksByName(params, context, [path]);
    const { worktreePath } = context;
    let sandbox: Sandbox | undefined;
    try {
      sandbox = this.#open(params, worktreePath);
      const names = sandbox.resolveToWrite(path);
      if (this.#policy.ruleFor(names) !== "ask") {
        this.#keepOpen(params, { worktreePath, sandbox });
        return false;
      }
      this.#asked.set(params, [names.join("/")]);
      sandbox.close();
      return true;
    } catch {
      sandbox?.close();
      return false;
    }
  }

  /**
   * {@link WriteGate.needsApproval} for a call that changes several places. `rehearse` performs the call's steps up to
   * the first change, in a sandbox that only records the places it would write to.
   */
  needsApprovalFor(
    params: object,
    context: WorktreeContext,
    paths: readonly string[],
    rehearse: (sandbox: Sandbox, note: (names: readonly string[]) => void) => void,
  ): boolean {
    if (context.fileSystem !== undefined) return this.#asksByName(params, context, paths);
    const asked = new Set<string>();
    const note = (names: readonly string[]) => {
      if (this.#policy.ruleFor(names) === "ask") asked.add(names.join("/"));
    };
    try {
      withSandbox(context.worktreePath, (sandbox) => rehearse(sandbox, note), { mayWrite: note });
    } catch {
      // The call itself will report the fault.
    }
    if (asked.size > 0) this.#asked.set(params, [...asked]);
    return asked.size > 0;
  }

  /** Another file system cannot be looked at here: a link to a place that is asked about is refused by the write. */
  #asksByName(params: object, { worktreePath }: WorktreeContext, paths: readonly string[]): boolean {
    try {
      const places = paths.map((path) => treeNames(path, worktreePath, "write"));
      const asked = places.filter((names) => this.#policy.ruleFor(names) === "ask");
      if (asked.length > 0)
        this.#asked.set(
          params,
          asked.map((names) => names.join("/")),
        );
      return asked.length > 0;
    } catch {
      return false;
    }
  }

  /** Runs `act` in the sandbox of a call's worktree. */
  withSandbox<T>(params: object, worktreePath: string, act: (sandbox: Sandbox) => T): T {
    const opened = this.#opened.get(params);
    this.#opened.delete(params);
    if (opened?.worktreePath === worktreePath) return closeAfter(opened.sandbox, act);
    opened?.sandbox.close();
    return closeAfter(this.#open(params, worktreePath), act);
  }

  /** Records writes before they take place, if the host wants that. */
  get journal(): WriteJournal | undefined {
    return this.#journal;
  }

  /** The note on a write whose previous contents the journal does not keep: it cannot be undone. Else an empty text. */
  undoNote(replacedBytes: number | undefined): string {
    const max = this.#journal?.maxFileBytes;
    if (max === undefined || replacedBytes === undefined || replacedBytes <= max) return "";
    return `; it cannot be undone, the previous contents are above ${max} bytes and were not kept`;
  }

  /** Former contents of a file that have this version, if the journal keeps them. */
  recall(sandbox: Sandbox, path: string, version: string): Buffer | undefined {
    const bytes = this.#journal?.recall?.(sandbox.resolvePath("."), path, version);
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

  #open(params: object, worktreePath: string): Sandbox {
    return openSandbox(worktreePath, { mayWrite: this.mayWrite(params), journal: this.#journal });
  }

  #keepOpen(params: object, opened: OpenedSandbox): void {
    this.#opened.get(params)?.sandbox.close();
    this.#opened.set(params, opened);
    setImmediate(() => {
      if (this.#opened.get(params) !== opened) return;
      this.#opened.delete(params);
      opened.sandbox.close();
    });
  }
}
