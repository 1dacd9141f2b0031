import type { JsonValue } from "../../json/json-snapshot.ts";
import type { EntryRow } from "../entry-row.ts";

/** Names of the virtual objects, each with the handlers that the engine calls. */
export const OBJECTS = {
  step: "dispatch_step",
  wait: "dispatch_wait",
  worker: "dispatch_worker",
  transcript: "dispatch_transcript",
  open: "dispatch_open",
} as const;

/** The key of the one object that lists open steps and questions. */
export const OPEN_KEY = "all";

/** A step as it is kept. */
export interface StepRecord {
  readonly intent: JsonValue;
  readonly since: number;
  /** The process that has it. */
  readonly worker?: string | undefined;
  /** Names the attempt that begins it, with its process first, so that a message that arrives twice counts once. */
  readonly token?: string | undefined;
  readonly hasBegun: boolean;
  /** The intent of the attempt before, which died. */
  readonly again?: JsonValue | undefined;
  /** Attempts that gave up before their message arrived. */
  readonly refused?: readonly string[];
  readonly result?: JsonValue;
}

/** Takes a step: to begin it, or only so that no other worker is given it. */
export interface Take {
  readonly intent: JsonValue;
  readonly worker: string;
  readonly token: string;
  readonly begins: boolean;
  /** Unix time in milliseconds. */
  readonly now: number;
}

/** The outcome of taking a step. */
export type Taken =
  | { readonly state: "done"; readonly result: JsonValue }
  | { readonly state: "mine"; readonly again?: JsonValue | undefined }
  | { readonly state: "other" };

/** Ends a step. */
export interface End {
  readonly token: string;
  readonly result: JsonValue;
  readonly row?: EntryRow | undefined;
}

/** A step as it is found. */
export interface FoundRecord {
  readonly state: "submitted" | "running" | "broken" | "done";
  readonly intent: JsonValue;
  readonly result?: JsonValue;
}

/** The open steps and questions, as they are listed. */
export interface OpenWork {
  readonly steps: readonly (Pick<StepRecord, "intent" | "since" | "worker" | "hasBegun"> & { readonly key: string })[];
  readonly waits: readonly (WaitRecord & { readonly key: string })[];
}

/** A question as it is kept. */
export interface WaitRecord {
  readonly kind: string;
  readonly question: JsonValue;
  readonly since: number;
  readonly expiresAt?: number | undefined;
  readonly answer?: { readonly id: string; readonly value: JsonValue } | undefined;
  readonly lapsed?: boolean;
}
