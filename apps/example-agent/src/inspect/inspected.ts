import type { Agent } from "../supervision/supervised-agent.ts";
import type { CheckedEdits } from "./checked-edits.ts";
import type { Feed } from "./feed.ts";
import type { OpenedFiles } from "./opened-files.ts";
import type { PageApprover } from "./page-approver.ts";
import type { Recorder } from "./recorder.ts";

/** The parts that a page shows. */
export interface Inspected {
  readonly agent: Agent;
  readonly feed: Feed;
  readonly recorder: Recorder;
  readonly opened: OpenedFiles;
  readonly pageApprover: PageApprover;
  readonly edits: CheckedEdits;
  /** Facts above the page, by name, such as the model's. */
  readonly about: Readonly<Record<string, string>>;
  /** Aborts when the page is closed. */
  readonly signal: AbortSignal;
}
