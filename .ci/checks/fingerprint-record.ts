/** The fingerprint of each tool by its name, by package. */
export type Fingerprints = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The recorded tools: each with the changeset that describes its change to the models that use it. */
export type FingerprintRecord = Readonly<
  Record<string, Readonly<Record<string, { readonly fingerprint: string; readonly changeset: string }>>>
>;

/** The tools whose text for models differs from the record, as `PACKAGE TOOL`; a new or removed tool too. */
export function changedTools(record: FingerprintRecord, now: Fingerprints): readonly (readonly [string, string])[] {
  return [...new Set([...Object.keys(record), ...Object.keys(now)])].flatMap((name) => {
    const [recorded = {}, found = {}] = [record[name], now[name]];
    return [...new Set([...Object.keys(recorded), ...Object.keys(found)])]
      .filter((tool) => recorded[tool]?.fingerprint !== found[tool])
      .map((tool) => [name, tool] as const);
  });
}

/**
 * The record with the present fingerprints: each changed tool names `changeset`.
 *
 * @param text - Of the changeset.
 * @throws {Error} When the changeset does not name a package whose tool changed.
 */
export function recordFingerprints(
  record: FingerprintRecord,
  now: Fingerprints,
  changeset: string,
  text: string,
): FingerprintRecord {
  for (const [name, tool] of changedTools(record, now)) {
    if (text.includes(`"${name}":`)) continue;
    throw new Error(`Cannot record ${tool}: the changeset ${changeset} does not name ${name}, whose tool it is`);
  }
  const changed = new Set(changedTools(record, now).map((one) => one.join(" ")));
  const entries = Object.entries(now).map(([name, tools]) => {
    const own = Object.entries(tools).map(([tool, fingerprint]) => {
      const before = record[name]?.[tool];
      const keep = before !== undefined && !changed.has(`${name} ${tool}`);
      return [tool, keep ? before : { fingerprint, changeset }] as const;
    });
    return [name, Object.fromEntries(own)] as const;
  });
  return Object.fromEntries(entries);
}
