import type { Source } from "../block/provenance.ts";
import type { Tier } from "../block/tier.ts";

/** The blocks that a search may find. */
export interface BlockFilter {
  /** Only of this tier. */
  readonly tier?: Tier | undefined;
  /** Only changed at this time or later: ISO 8601, UTC, with milliseconds. */
  readonly since?: string | undefined;
  /** Only changed before this time. */
  readonly before?: string | undefined;
  /** Only with keys that begin so. */
  readonly prefix?: string | undefined;
  /** Only from this source. */
  readonly source?: Source | undefined;
}

const CONDITIONS: { readonly [Name in keyof BlockFilter]-?: (value: string, time: string) => string } = {
  tier: (value) => `block.tier = ${value}`,
  since: (_, time) => `block.updated_at >= ${time}`,
  before: (_, time) => `block.updated_at < ${time}`,
  prefix: (value) => `substr(block.key, 1, length(${value})) = ${value}`,
  source: (value) => `block.source = ${value}`,
};

/**
 * The conditions on the table `block`, joined by AND; empty for none.
 *
 * @param json the placeholder of the filter as JSON, of a type that has `->>`.
 * @param timeType the cast of a text to the type of the time columns.
 */
export function toFilterConditions(filter: BlockFilter, json: string, timeType = ""): string {
  const names = (Object.keys(CONDITIONS) as (keyof BlockFilter)[]).filter((name) => filter[name] !== undefined);
  return names
    .map((name) => {
      const value = `(${json} ->> '${name}')`;
      return CONDITIONS[name](value, `${value}${timeType}`);
    })
    .join(" AND ");
}
