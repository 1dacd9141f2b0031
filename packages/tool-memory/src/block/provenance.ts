/** Where a text may come from, from what is believed most to what is believed least. */
export const SOURCES = ["person", "agent", "import", "tool", "web"] as const;

/**
 * Where a text comes from.
 *
 * - `person`: a person wrote it.
 * - `agent`: the agent wrote it, and its host knows of nothing less trusted that the agent had read.
 * - `import`: it came in from a file.
 * - `tool`: it holds, or was written after reading, what a tool answered.
 * - `web`: it holds, or was written after reading, what anybody on the web may have put there.
 */
export type Source = (typeof SOURCES)[number];

/** How far a text may be believed, from least to most. */
export const TRUST_LEVELS = ["low", "medium", "high"] as const;

/** How far a text may be believed: `high` what a person wrote or approved, `medium` what the agent wrote, `low` the rest. */
export type Trust = (typeof TRUST_LEVELS)[number];

/** Where a text comes from and how far it may be believed: each the least of all that went into it. */
export interface Provenance {
  /** The least trusted origin of any part of the text. A person's approval does not change it. */
  readonly source: Source;
  /** How far the whole text may be believed. A person's approval makes it `high`. */
  readonly trust: Trust;
}

/** The provenance of a text that comes from one source. */
export function toProvenance(source: Source): Provenance {
  return { source, trust: source === "person" ? "high" : source === "agent" ? "medium" : "low" };
}

/** Whether one level is below another. */
export function isBelow(trust: Trust, least: Trust): boolean {
  return TRUST_LEVELS.indexOf(trust) < TRUST_LEVELS.indexOf(least);
}

/** The provenance of a text made of two: the least of both, so that nothing gains trust by being added to or rewritten. */
export function leastTrusted(a: Provenance, b: Provenance): Provenance {
  return {
    source: SOURCES.indexOf(a.source) > SOURCES.indexOf(b.source) ? a.source : b.source,
    trust: isBelow(a.trust, b.trust) ? a.trust : b.trust,
  };
}

/** The source of an agent's write: what its host says, but never that a person wrote it. */
export function toAgentSource(source: unknown): Source {
  if (source === undefined || source === "person") return "agent";
  // What is no source at all was meant to say something: it is taken for the least trusted.
  return SOURCES.find((known) => known === source) ?? "web";
}
