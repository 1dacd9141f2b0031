/** Every {@link Source}, most trusted first. */
export const SOURCES = ["person", "agent", "import", "tool", "web"] as const;

/**
 * The origin of a text.
 *
 * - `person`: a person wrote it.
 * - `agent`: the agent wrote it and, as far as the host knows, had read nothing less trusted.
 * - `import`: it was imported from a file.
 * - `tool`: it contains a tool's result or was written after reading one.
 * - `web`: it contains web content, which anyone may have written, or was written after reading such content.
 */
export type Source = (typeof SOURCES)[number];

/** Every {@link Trust}, lowest first. */
export const TRUST_LEVELS = ["low", "medium", "high"] as const;

/** The trust in a text: `high` if a person wrote or approved it, `medium` if the agent wrote it, otherwise `low`. */
export type Trust = (typeof TRUST_LEVELS)[number];

/** The origin of a text and the trust in it: each the lowest of all texts that went into it. */
export interface Provenance {
  /** The least trusted origin of any part of the text. A person's approval does not change it. */
  readonly source: Source;
  /** The trust in the whole text. A person's approval makes it `high`. */
  readonly trust: Trust;
}

/** The provenance of a text from a single source. */
export function toProvenance(source: Source): Provenance {
  return { source, trust: source === "person" ? "high" : source === "agent" ? "medium" : "low" };
}

/** Whether one level is below another. */
export function isBelow(trust: Trust, least: Trust): boolean {
  return TRUST_LEVELS.indexOf(trust) < TRUST_LEVELS.indexOf(least);
}

/**
 * Whether the source is too little trusted to change, move or remove a text: it is below the agent's own trust and below the
 * text's. A permission is given to the agent, not to the sources that the agent repeats.
 */
export function isOutranked(source: Source, { trust }: Provenance): boolean {
  const by = toProvenance(source).trust;
  return isBelow(by, "medium") && isBelow(by, trust);
}

/** The provenance of a text made of two: the lower of both, so that a text gains no trust by additions or rewriting. */
export function leastTrusted(a: Provenance, b: Provenance): Provenance {
  return {
    source: SOURCES.indexOf(a.source) > SOURCES.indexOf(b.source) ? a.source : b.source,
    trust: isBelow(a.trust, b.trust) ? a.trust : b.trust,
  };
}

/** The source of an agent's write: the source that its host names, except that `person` counts as `agent`. */
export function toAgentSource(source: unknown): Source {
  if (source === undefined || source === "person") return "agent";
  // An unknown source counts as the least trusted one.
  return SOURCES.find((known) => known === source) ?? "web";
}
