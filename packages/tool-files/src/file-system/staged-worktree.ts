import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { FilesError, WrongKindError } from "../error/files-error.ts";
import type { IgnoreRules } from "../list/ignore-rules.ts";
import { openHeldSandbox } from "../sandbox/open-sandbox.ts";
import { attemptOn, childOf, comesAfter, orderKey, parentOf } from "../sandbox/path-segments.ts";
import type { SandboxHooks } from "../sandbox/sandbox-hooks.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { TimeSlice } from "../thread/time-slice.ts";
import type { FileEntry, FileStat, FileSystem } from "./file-system.ts";

/** Largest file that is copied: 64 MiB. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Largest file that is written while everything else waits. */
const MAX_QUICK_BYTES = 1024 * 1024;
/** Longest `.gitignore` applied while copying: larger ones take too long to apply. The listing still obeys them. */
const MAX_RULES_BYTES = 16 * 1024;
/** Entries and bytes copied for one call. */
const MAX_ENTRIES = 50_000;
const MAX_BYTES = 256 * 1024 * 1024;
/** Most links followed for one path. */
const MAX_LINKS = 40;

export interface TreeCopy {
  /** Whether files get their contents, or only their size and time. `.gitignore` files get them always. */
  readonly contents: (path: string) => boolean;
  /** Rules above the tree: entries that they name are copied without their contents. `undefined`: everything is copied. */
  readonly leftOut: IgnoreRules | undefined;
  /** Whether directories in it are copied, too. */
  readonly recursive: boolean;
  /** The path before which files are not needed. Default: all are. */
  readonly from?: string | undefined;
  /**
   * Asked of each file, in order of path: whether the files up to this one are all that are needed. `inTree` is the path
   * from the directory that is copied.
   */
  readonly isEnough?: ((path: string, inTree: string) => boolean) | undefined;
}

/**
 * A private directory of this disk that holds the part of a {@link FileSystem} that one call needs: the tools work on
 * it through their `Sandbox`, as on any worktree, and their changes are written back.
 */
export class StagedWorktree {
  readonly #fileSystem: FileSystem;
  readonly #worktreePath: string;
  readonly #root: string;
  /** Revision of each file whose contents were copied. */
  readonly #revisions = new Map<string, string>();
  // A file system in memory never waits, and the event loop may do other work.
  readonly #slice = new TimeSlice();
  #entries = 0;
  #bytes = 0;
  #enough = false;

  /** @param worktreePath - The absolute path under which a model may know the tree. */
  constructor(fileSystem: FileSystem, worktreePath: string) {
    this.#fileSystem = fileSystem;
    this.#worktreePath = worktreePath;
    this.#root = fs.mkdtempSync(join(tmpdir(), "dispatch-staged-"));
  }

  /** The sandbox of the copied files. The caller closes it. */
  open(hooks: SandboxHooks = {}): Sandbox {
    const held = { workingDirectory: this.#root, worktreePath: this.#worktreePath, strength: "kernel" } as const;
    return openHeldSandbox(held, hooks);
  }

  /** The revision of a copied file; `null` if there was none. */
  revisionOf(path: string): string | null {
    return this.#revisions.get(path) ?? null;
  }

  /** Copies one file, or makes the directory, and the directories on the way. Returns the path with links resolved. */
  async copy(names: readonly string[], attempt: string, contents = true): Promise<string> {
    let left = names;
    let path = "";
    for (let links = 0; ;) {
      const [name, ...rest] = left;
      if (name === undefined) return path;
      const next = childOf(path, name);
      const stat = await this.#fileSystem.stat(next);
      if (stat === undefined) return [path, ...left].filter((one) => one !== "").join("/");
      if (stat.path !== next && stat.path !== path) {
        if (++links > MAX_LINKS) throw new FilesError(`${attempt}: too many links`, { code: "invalid_path" });
        this.#link(next, stat.path);
        left = [...stat.path.split("/"), ...rest];
        path = "";
        continue;
      }
      if (stat.kind === "other")
        throw new WrongKindError(`${attempt}: it is a pipe, socket or device, allowed are regular files`);
      if (stat.kind === "directory") this.#directory(next);
      else await this.#file(stat, contents && rest.length === 0, attempt);
      path = next;
      left = rest;
    }
  }

  /**
   * Copies the contents of a directory, given by its path with links resolved, together with the rules that apply
   * there.
   */
  async copyTree(directory: string, copy: TreeCopy, attempt: string): Promise<void> {
    let { leftOut } = copy;
    let insideIgnored = false;
    const above = directory === "" ? [] : directory.split("/");
    for (const index of above.keys()) {
      leftOut = leftOut && (await this.#rulesIn(above.slice(0, index).join("/"), leftOut, attempt));
      // A call that names an ignored directory is to see its files.
      insideIgnored ||= leftOut?.ignores(above.slice(0, index + 1).join("/"), true) ?? false;
    }
    const start = directory === "" ? 0 : directory.length + 1;
    await this.#copyEntries(directory, insideIgnored ? copy : { ...copy, leftOut }, attempt, start);
  }

  async close(): Promise<void> {
    await fs.promises.rm(this.#root, { recursive: true, force: true });
  }

  /** `start`: how many characters of a path lead to the tree that is copied. */
  async #copyEntries(directory: string, copy: TreeCopy, attempt: string, start: number): Promise<void> {
    const leftOut = copy.leftOut && (await this.#rulesIn(directory, copy.leftOut, attempt));
    const entries = await this.#fileSystem.readDirectory(directory);
    const keyed = entries.map((entry) => {
      return { key: orderKey(directory, checkedName(entry, attempt), entry.kind === "directory"), entry };
    });
    const place = copy.from === undefined ? undefined : { path: copy.from, inclusive: true };
    for (const { key, entry } of keyed.toSorted((one, other) => (one.key < other.key ? -1 : 1))) {
      if (this.#enough) return;
      if (!comesAfter(key, place)) continue;
      const path = childOf(directory, entry.name);
      if (leftOut !== undefined && entry.name === ".gitignore" && entry.kind === "file") continue;
      const isDirectory = entry.kind === "directory";
      const skipped = entry.name === ".git" || (leftOut?.ignores(path, isDirectory) ?? false);
      if (entry.kind === "link") this.#danglingLink(path);
      else if (isDirectory) {
        this.#directory(path);
        if (copy.recursive && !skipped) await this.#copyEntries(path, { ...copy, leftOut }, attempt, start);
      } else if (entry.kind === "file") {
        const stat = skipped ? undefined : await this.#fileSystem.stat(path);
        if (stat?.kind === "file") await this.#file({ ...stat, path }, copy.contents(path), attempt);
        else if (skipped) fs.writeFileSync(this.#at(path), "");
        this.#enough = stat?.kind === "file" && copy.isEnough?.(path, path.slice(start)) === true;
      }
      this.#count(attempt, 1, 0);
      await this.#slice.pause();
    }
  }

  /** Copies the `.gitignore` of a directory, and adds its rules. */
  async #rulesIn(directory: string, rules: IgnoreRules, attempt: string): Promise<IgnoreRules> {
    const path = childOf(directory, ".gitignore");
    const stat = await this.#fileSystem.stat(path);
    if (stat?.kind !== "file" || stat.path !== path) return rules;
    await this.#file(stat, true, attempt);
    return stat.size > MAX_RULES_BYTES ? rules : rules.with(directory, fs.readFileSync(this.#at(path), "utf8"));
  }

  async #file(stat: FileStat, contents: boolean, attempt: string): Promise<void> {
    const { path, size, modifiedMs, executable } = stat;
    this.#directory(parentOf(path));
    const at = this.#at(path);
    if (contents) {
      if (size > MAX_FILE_BYTES)
        throw new FilesError(`${attempt}: it is ${size} bytes long, allowed are ${MAX_FILE_BYTES}`, {
          code: "file_too_large",
        });
      const { bytes, revision } = await this.#fileSystem.readFile(path);
      this.#count(attempt, 1, bytes.length);
      this.#revisions.set(path, revision);
      if (bytes.length > MAX_QUICK_BYTES) await fs.promises.writeFile(at, bytes);
      else fs.writeFileSync(at, bytes);
    } else {
      fs.writeFileSync(at, "");
      fs.truncateSync(at, Math.min(size, Number.MAX_SAFE_INTEGER));
    }
    fs.chmodSync(at, executable ? 0o755 : 0o644);
    fs.utimesSync(at, modifiedMs / 1000, modifiedMs / 1000);
  }

  #directory(path: string): void {
    fs.mkdirSync(this.#at(path), { recursive: true });
  }

  #link(path: string, target: string): void {
    this.#directory(parentOf(path));
    const at = this.#at(path);
    fs.symlinkSync(relative(dirname(at), this.#at(target)), at);
  }

  /** Its target is not known: a listing counts it as left out. */
  #danglingLink(path: string): void {
    if (fs.lstatSync(this.#at(path), { throwIfNoEntry: false }) === undefined)
      fs.symlinkSync(".dispatch-unknown", this.#at(path));
  }

  #count(attempt: string, entries: number, bytes: number): void {
    this.#entries += entries;
    this.#bytes += bytes;
    if (this.#entries <= MAX_ENTRIES && this.#bytes <= MAX_BYTES) return;
    throw new FilesError(
      `${attempt}: there are more than ${MAX_ENTRIES} entries or ${MAX_BYTES} bytes to look at, narrow path or pattern`,
      { code: "file_too_large" },
    );
  }

  /** A path of the private directory, for names that were checked. */
  #at(path: string): string {
    return join(this.#root, path);
  }
}

/** A name as a file system of another world gave it: nothing that could mean another place here. */
function checkedName({ name }: FileEntry, attempt: string): string {
  const valid = name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name) && Buffer.byteLength(name) <= 255;
  if (valid) return name;
  throw new FilesError(`${attempt}: the file system lists a name that no file can have`, { code: "io_error" });
}

/** An error of a file system, as a model may see it. */
export function foreignError(error: unknown, verb: string, path: string): Error {
  if (error instanceof FilesError) return error;
  return new FilesError(`${attemptOn(verb, path)}: the file system failed, try again or use another path`, {
    code: "io_error",
    cause: error,
  });
}
