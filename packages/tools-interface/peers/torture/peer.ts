import type { TortureSubject } from "../../src/testing/torture-subject.ts";

/** A system that takes part in the comparison, and how it is driven. */
export interface Peer {
  /** Short name, as figures are named: lower case, digits and `_`. */
  readonly name: string;
  /** The npm package whose version is reported. */
  readonly packageName: string;
  /** What a call goes through, one sentence. */
  readonly path: string;
  /** The options that were chosen for it, one sentence. */
  readonly options: string;
  /** What it does not offer, in a few words, empty for nothing. */
  readonly notOffered: string;
  /** Builds tools and calls them. */
  readonly subject: TortureSubject;
}
