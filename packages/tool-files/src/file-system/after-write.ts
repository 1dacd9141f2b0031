import { success, type ToolRun, type ToolSuccess } from "@dispatch/tools-interface";
import type { WorktreeContext } from "../sandbox/worktree-context.ts";
import type { ChangedPath, WriteGate } from "../sandbox/write-gate.ts";
import { contentVersion, MAX_EDIT_BYTES } from "../version/content-version.ts";
import { openFileSystem } from "./sandbox-file-system.ts";

/** Characters of notes shown. */
const MAX_NOTES_CHARS = 8000;

/**
 * The answer of a write with the notes of the host's `afterWrite`. When that changed the file (a formatter), the answer says so
 * and `data.version` is the one now.
 */
export async function withNotes<Data>(
  { afterWrite }: WriteGate,
  { context, signal }: Pick<ToolRun<WorktreeContext>, "context" | "signal">,
  changes: readonly ChangedPath[],
  result: ToolSuccess<Data>,
): Promise<ToolSuccess<Data>> {
  if (afterWrite === undefined) return result;
  const notes: string[] = [];
  for (const change of changes) {
    try {
      const said = await afterWrite({ ...change, worktreePath: context.worktreePath, signal });
      if (said !== undefined && said !== "") notes.push(...[said].flat());
    } catch {
      // Its error may name paths of the host.
      notes.push("a check after the write failed, which is a fault of the host; the write is done");
    }
  }
  const data = result.data as { readonly version?: string | null } | undefined;
  const [only] = changes;
  const version =
    only === undefined || typeof data?.version !== "string" ? undefined : await versionNow(context, only.path);
  const isChanged = version !== undefined && version !== data?.version;
  if (isChanged) notes.push(`the file was changed after the write, it is now version ${version}`);
  if (notes.length === 0) return result;
  const text = notes.join("\n");
  const shown = text.length > MAX_NOTES_CHARS ? `${text.slice(0, MAX_NOTES_CHARS).toWellFormed()}…` : text;
  const now = isChanged ? ({ ...data, version } as Data) : result.data;
  return success(
    `${result.output}\n[after the write]\n${shown}`,
    now === undefined ? {} : { data: now },
  ) as ToolSuccess<Data>;
}

async function versionNow(context: WorktreeContext, path: string): Promise<string | undefined> {
  const own = context.fileSystem === undefined ? openFileSystem(context.worktreePath) : undefined;
  try {
    const fileSystem = context.fileSystem ?? own!;
    if (((await fileSystem.stat(path))?.size ?? Infinity) > MAX_EDIT_BYTES) return undefined;
    return contentVersion((await fileSystem.readFile(path)).bytes);
  } catch {
    return undefined;
  } finally {
    own?.close();
  }
}
