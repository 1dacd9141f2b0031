import { randomBytes } from "node:crypto";
import path from "node:path";
import {
  createTranscript,
  reconcile,
  type MemoryTranscript,
  type Transcript,
  type TranscriptEntry,
} from "@dispatch/tools-interface";
import { NOTHING_LEFT_OUT, type Compaction } from "../agent/compaction.ts";
import type { Message, Usage } from "../agent/conversation.ts";
import { NO_USAGE, sumOf, type Session } from "../agent/session.ts";
import { openJsonLines, type JsonLines } from "./json-lines.ts";

/** The beginning of a session: the first line of its file. */
export interface SessionStart {
  readonly version: 1;
  /** As `--model` takes it. */
  readonly model: string;
  /** Absolute path of the directory that was worked in. */
  readonly workspace: string;
  /** When, ISO 8601. */
  readonly startedAt: string;
}

/**
 * Any other line. Results are in the records of their calls alone: a tool's answer stands there once, from the moment
 * it answered.
 */
type Line =
  | { readonly message: Exclude<Message, { role: "tool" }> }
  | { readonly call: TranscriptEntry }
  | { readonly compaction: Compaction }
  | { readonly spent: Usage };

/** A session that was opened again, and its beginning. */
export interface ResumedSession {
  readonly session: Session;
  readonly start: SessionStart;
}

/** Begins a session whose every step is written to a file of its own as it happens. */
export function createSavedSession(directory: string, start: Omit<SessionStart, "version" | "startedAt">): Session {
  const startedAt = new Date().toISOString();
  const id = `${startedAt.slice(0, 23).replaceAll(/[:.]/g, "-")}-${randomBytes(2).toString("hex")}`;
  const lines = openJsonLines(fileOf(directory, id), "create");
  lines.append({ version: 1, ...start, startedAt } satisfies SessionStart);
  return savedSession(id, lines, [], createTranscript());
}

/**
 * Opens a session again, however its process ended. Calls that were running then are closed as interrupted: a provider
 * accepts no conversation in which a call has no result, and nobody may think that they never ran.
 *
 * @param isDurable - Whether the last calls are left open, to be dispatched again: their outcome is kept elsewhere.
 */
export async function resumeSession(directory: string, id: string, isDurable = false): Promise<ResumedSession> {
  const lines = openJsonLines(fileOf(directory, id), "open");
  const [start, ...rest] = lines.restored as [SessionStart | undefined, ...Line[]];
  if (start?.version !== 1) {
    lines.close();
    throw new Error(`Cannot resume ${id}: it is no session of this version`);
  }
  const transcript = createTranscript(rest.flatMap((line) => ("call" in line ? [line.call] : [])));
  const messages: Message[] = [];
  const compaction = rest.findLast((line) => "compaction" in line)?.compaction;
  const spent = rest.flatMap((line) => ("spent" in line ? [line.spent] : [])).reduce(sumOf, NO_USAGE);
  const session = savedSession(id, lines, messages, transcript, compaction, spent);
  for (const line of rest) {
    if (!("message" in line)) continue;
    messages.push(line.message);
    if (line.message.role !== "assistant" || line.message.calls.length === 0) continue;
    if (isDurable && line === rest.findLast((other) => "message" in other)) continue;
    const own = createTranscript(entriesAfter(rest, line));
    const append: Transcript["append"] = (entry) => session.transcript.append(entry);
    messages.push({ role: "tool", results: await reconcile({ ...own, append }, line.message.calls) });
  }
  lines.sync();
  return { session, start };
}

/**
 * The calls recorded between an answer and the next one. Only these are its own: some servers number their calls, and a number
 * alone does not tell which message a call belongs to.
 */
function entriesAfter(lines: readonly Line[], answer: Line): readonly TranscriptEntry[] {
  const after = lines.slice(lines.indexOf(answer) + 1);
  const next = after.findIndex((line) => "message" in line && line.message.role === "assistant");
  return after.slice(0, next === -1 ? after.length : next).flatMap((line) => ("call" in line ? [line.call] : []));
}

function savedSession(
  id: string,
  lines: JsonLines,
  messages: Message[],
  transcript: MemoryTranscript,
  compaction = NOTHING_LEFT_OUT,
  spent = NO_USAGE,
): Session {
  return {
    id,
    messages,
    transcript: {
      ...transcript,
      get entries() {
        return transcript.entries;
      },
      append(entry) {
        void transcript.append(entry);
        // As plain data: metadata is the host's, and may hold values without a JSON form.
        for (const call of createTranscript([entry]).toJSON()) lines.append({ call } satisfies Line);
      },
    },
    add(message) {
      messages.push(message);
      if (message.role !== "tool") lines.append({ message } satisfies Line);
      lines.sync();
    },
    compaction: () => compaction,
    compact(next) {
      compaction = next;
      lines.append({ compaction } satisfies Line);
    },
    spent: () => spent,
    spend(usage) {
      spent = sumOf(spent, usage);
      lines.append({ spent: usage } satisfies Line);
    },
    close: () => lines.close(),
  };
}

function fileOf(directory: string, id: string): string {
  return path.join(directory, `${id}.jsonl`);
}
