import { SandboxError } from "../error/files-error.ts";
import { printablePath } from "../error/printable-path.ts";
import { PathPolicy, type ProtectedPaths } from "./protected-paths.ts";
import type { MayWrite } from "./sandbox-hooks.ts";
import type { Sandbox } from "./sandbox.ts";
import { withSandbox } from "./worktree-context.ts";
import type { WriteJournal } from "./write-journal.ts";

/** Options of the tools that write. */
export interface WriteOptions {
  /** Rules that are added to the default ones, which protect `.git` and what editors, agents and CI obey. */
  readonly protectedPaths?: ProtectedPaths;
  /** Is told of every write before it takes place, to undo it. See {@link createFileHistory}. Default: none. */
  readonly history?: WriteJournal;
}

/**
 * What the tools that write have in common: a person is asked where the rules say so, and the sandbox they write through
 * refuses what is denied, or was to be asked and was not. The place that was asked about is the one that may be written.
 */
export class WriteGate {
  readonly #policy: PathPolicy;
  readonly #journal: WriteJournal | undefined;
  /** By the validated parameters of a call, which are the same object from the question to the act. */
  readonly #asked = new WeakMap<object, string>();

  constructor({ protectedPaths, history }: WriteOptions = {}) {
    this.#policy = new PathPolicy(protectedPaths);
    this.#journal = history;
  }

  /** Whether a person has to agree to a call. What cannot be resolved is not asked about: it is refused when it is tried. */
  needsApproval(params: object, { worktreePath }: { readonly worktreePath: string }, path: string): boolean {
    try {
      const names = withSandbox(worktreePath, (sandbox) => sandbox.resolveNames(path));
      if (this.#policy.ruleFor(names) !== "ask") return false;
      this.#asked.set(params, names.join("/"));
      return true;
    } catch {
      return false;
    }
  }

  /** Does something in the sandbox of a call's worktree. */
  withSandbox<T>(params: object, worktreePath: string, act: (sandbox: Sandbox) => T): T {
    return withSandbox(worktreePath, act, { mayWrite: this.mayWrite(params), journal: this.#journal });
  }

  /** What a call may write, to be asked while it is carried out. */
  mayWrite(params: object): MayWrite {
    const asked = this.#asked.get(params);
    return (names, attempt) => {
      const rule = this.#policy.ruleFor(names);
      const place = names.join("/");
      const agreed = asked !== undefined && (asked === place || asked.startsWith(`${place}/`));
      if (rule === "allow" || (rule === "ask" && agreed)) return;
      throw new SandboxError(
        rule === "ask"
          ? `${attempt}: it leads to ${printablePath(place)}, which a person has to agree to, and it was not asked for; call again with that path`
          : `${attempt}: ${printablePath(place)} is protected and not writable, use other files`,
        { code: "protected_path" },
      );
    };
  }
}
