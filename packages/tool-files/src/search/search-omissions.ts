/** Why something was not searched, or not all of it. */
export type OmissionReason = "binary" | "encoding" | "long_line" | "too_large" | "unreadable" | "name";

/** Files that were not searched, or not wholly, for one reason. */
export interface Omission {
  readonly reason: OmissionReason;
  readonly count: number;
  /** The first of them, from the worktree. */
  readonly paths: readonly string[];
}

/** Paths kept for a reason. */
const MAX_PATHS = 20;

export class SearchOmissions {
  readonly #kept = new Map<OmissionReason, { count: number; readonly paths: string[] }>();

  get list(): Omission[] {
    return [...this.#kept].map(([reason, kept]) => ({ reason, ...kept }));
  }

  add(reason: OmissionReason, path: string): void {
    this.addAll([{ reason, count: 1, paths: [path] }]);
  }

  /** Adds the omissions of another part of the search. */
  addAll(omissions: readonly Omission[]): void {
    for (const { reason, count, paths } of omissions) {
      if (count === 0) continue;
      const kept = this.#kept.get(reason) ?? { count: 0, paths: [] };
      kept.count += count;
      kept.paths.push(...paths.slice(0, Math.max(0, MAX_PATHS - kept.paths.length)));
      this.#kept.set(reason, kept);
    }
  }
}
