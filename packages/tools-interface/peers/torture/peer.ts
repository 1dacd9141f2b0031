import type { TortureSubject } from "@dispatch/check";

/** A system that takes part in the comparison, and how it is driven. */
export interface Peer {
  /** Short name, as figures are named: lower case, digits and `_`. */
  readonly name: string;
  /** The npm package whose version is reported. */
  readonly packageName: string;
  /** The path of a call, in one sentence. */
  readonly path: string;
  /** The options that were chosen for it, one sentence. */
  readonly options: string;
  /** Missing features, in a few words; empty if none. */
  readonly notOffered: string;
  /** Builds tools and calls them. */
  readonly subject: TortureSubject;
}
