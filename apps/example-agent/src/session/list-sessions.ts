import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import path from "node:path";
import type { SessionStart } from "./saved-session.ts";

/** A saved session, as a list shows it. */
export interface SessionSummary extends Pick<SessionStart, "model" | "workspace"> {
  /** For `--resume`. */
  readonly id: string;
  /** When something was last added. */
  readonly changedAt: Date;
  /** The person's first message; empty if there is none. */
  readonly task: string;
}

/** Bytes of a session that are read for the list. */
const HEAD_BYTES = 65_536;

/** The saved sessions, last changed first. Files that are none are left out. */
export function listSessions(directory: string): readonly SessionSummary[] {
  return namesIn(directory)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => summaryOf(path.join(directory, name)))
    .toSorted((one, other) => other.changedAt.getTime() - one.changedAt.getTime());
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function summaryOf(file: string): readonly SessionSummary[] {
  try {
    const [start, ...lines] = headOf(file);
    const { version, model, workspace } = (start ?? {}) as Partial<SessionStart>;
    if (version !== 1 || typeof model !== "string" || typeof workspace !== "string") return [];
    const said = lines.find((line) => line.message?.role === "user")?.message?.text;
    const task = typeof said === "string" ? said : "";
    return [{ id: path.basename(file, ".jsonl"), model, workspace, task, changedAt: statSync(file).mtime }];
  } catch {
    return [];
  }
}

interface Line {
  readonly message?: { readonly role?: unknown; readonly text?: unknown };
}

/** The lines at the beginning that are whole. */
function headOf(file: string): readonly Line[] {
  const descriptor = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    const text = bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, HEAD_BYTES, 0));
    return text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  } finally {
    closeSync(descriptor);
  }
}
