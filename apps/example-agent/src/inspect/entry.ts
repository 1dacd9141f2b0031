import type { Usage } from "../agent/conversation.ts";
import type { Choice, UserQuestion } from "../supervision/approver.ts";

/** A text of which a page is sent the beginning at first. */
export interface CutText {
  /** The beginning, or all. */
  readonly text: string;
  /** Length of all of it, in UTF-16 code units. */
  readonly chars: number;
}

/** The fields of every entry of the feed. */
interface EntryOf {
  /** Unique in one run of the program. */
  readonly id: string;
  /** When it began, Unix time in milliseconds. */
  readonly at: number;
}

/** Something that was said. */
export interface SaidEntry extends EntryOf {
  readonly kind: "said";
  /** `person` and `agent` are the conversation; a `notice` is something to know, a `note` something that was done. */
  readonly by: "person" | "agent" | "notice" | "note";
  readonly text: string;
}

/** One turn of the model, from the request to its whole answer. */
export interface TurnEntry extends EntryOf {
  readonly kind: "turn";
  /** Counts from 1. */
  readonly number: number;
  readonly state: "running" | "done" | "failed";
  /** From the request to the whole answer, in milliseconds. Absent in a turn of an earlier process. */
  readonly durationMs?: number;
  /** Absent when the provider does not report it. */
  readonly usage?: Usage;
  /** Messages that were sent. Absent when the request is not kept. */
  readonly messages?: number;
}

/** A call, from its arrival to its result. */
export interface CallEntry extends EntryOf {
  readonly kind: "call";
  /** Who made it: the agent, a program of its included, or the person on the page. */
  readonly by: "agent" | "you";
  /** Id of the entry of the call during which this one was made. */
  readonly parent: string | undefined;
  /** Id of the entry of the turn that asked for it, if it is a call of the model itself. */
  readonly turn?: string | undefined;
  readonly name: string;
  readonly state: "running" | "waiting" | "done" | "failed";
  /** The arguments on one line. */
  readonly about: string;
  /** The arguments: JSON with line breaks, or text that is not JSON. */
  readonly sent: CutText;
  /** The changes of the person who approved it, field by field. */
  readonly edits?: readonly string[];
  /** The arguments that it ran with, where the person changed them. */
  readonly ran?: CutText;
  /** How far it has come, on one line. */
  readonly progress?: string;
  /** The result on one line. */
  readonly outcome?: string;
  /** The result as a model reads it. */
  readonly result?: CutText;
  /** The code of a failure. */
  readonly code?: string;
  /** Rows of a unified diff, if the result has one. */
  readonly diff?: readonly string[];
  /** Rows of the diff that are left out. */
  readonly diffLeftOut?: number;
  /** From arrival to result, in milliseconds. */
  readonly durationMs?: number;
  /** Part of `durationMs` in which it, or a call that it made, waited for the person. Absent: none. */
  readonly waitedMs?: number;
}

/** A question whose answer is yes or no. */
export interface ApprovalEntry extends EntryOf {
  readonly kind: "approval";
  readonly text: string;
  /** The change to approve, as rows of a diff. */
  readonly detail: readonly string[];
  /** Answers for calls to come that may be given with a yes. */
  readonly always?: readonly { readonly key: string; readonly label: string }[];
  /** Whether the arguments of the call may be changed. */
  readonly editable?: boolean;
  /** The changes with which it was approved, as rows of a diff. */
  readonly changes?: readonly string[];
  /** Id of the entry of the call it is about. */
  readonly call: string | undefined;
  /** The proposed change of memory it is about. */
  readonly mutation: string | undefined;
  readonly state: "open" | "approved" | "refused" | "later" | "gone";
  /** Where it was answered, once it is. */
  readonly where?: string;
  /** Why not. */
  readonly reason?: string;
}

/** A question of the agent's own. */
export interface QuestionEntry extends EntryOf {
  readonly kind: "question";
  readonly text: UserQuestion["text"];
  readonly choices: readonly Choice[];
  readonly several: boolean;
  readonly state: "open" | "answered" | "gone";
  readonly where?: string;
  readonly answer?: readonly string[];
}

/** The state of the run. There is one such entry. */
export interface StatusEntry extends EntryOf {
  readonly kind: "status";
  readonly state: "thinking" | "working" | "resting" | "ended";
  /** For a person, in a line or several. */
  readonly text: string;
}

/** One thing that a page shows. */
export type Entry = SaidEntry | TurnEntry | CallEntry | ApprovalEntry | QuestionEntry | StatusEntry;

/** Characters of a text that are sent unasked. */
const SENT_UNASKED = 4_000;

/** The beginning of a text, and how long all of it is. */
export function cutText(text: string): CutText {
  return { text: text.slice(0, SENT_UNASKED), chars: text.length };
}
