import { withNextRelease } from "./next-release.ts";
import type { Outcome } from "./run-command.ts";

/** Finds out whether a release could be made of the changesets that are there. */
export function checkChangesets(): Promise<Outcome> {
  return withNextRelease(false, ({ outcome }) => Promise.resolve(outcome));
}
