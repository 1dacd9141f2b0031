import type { Check } from "./check.ts";

/** What one validation has found of a schema: whether a value fits, and the places of its faults. */
interface Found {
  readonly fits: Map<unknown, boolean>;
  readonly told: Map<unknown, Set<string>>;
}

/**
 * Checks of schemas to which references lead. Where several ways lead to any of them, each is done once for a value in one
 * validation: in a schema whose unions lead twice to the next one, and so on, the checks of one value would double with each
 * step.
 */
export class SharedChecks {
  readonly #shared = new Map<unknown, Check>();
  #areNeeded = false;
  #found: Map<Check, Found> | undefined;

  /**
   * The check of a schema, for one way that leads to it.
   *
   * @param isOnlyWay - Whether no other way is known yet.
   */
  of(node: unknown, own: Check, isOnlyWay: boolean): Check {
    const known = this.#shared.get(node);
    this.#areNeeded ||= known !== undefined || !isOnlyWay;
    if (known !== undefined) return known;
    const check: Check = (value, faults) => {
      const found = this.#foundOf(check);
      if (found === undefined) return own(value, faults);
      let fits = found.fits.get(value);
      if (fits === undefined) found.fits.set(value, (fits = own(value)));
      if (fits || faults === undefined) return fits;
      const place = JSON.stringify(faults.path);
      const places = found.told.get(value) ?? new Set();
      if (places.has(place)) return false;
      found.told.set(value, places.add(place));
      return own(value, faults);
    };
    this.#shared.set(node, check);
    return check;
  }

  /** A check that is one validation. */
  whole(check: Check): Check {
    if (!this.#areNeeded) return check;
    return (value, faults) => {
      // A value may validate another one when a field of it is read.
      const before = this.#found;
      this.#found = new Map();
      try {
        return check(value, faults);
      } finally {
        this.#found = before;
      }
    };
  }

  #foundOf(check: Check): Found | undefined {
    const all = this.#found;
    if (all === undefined) return undefined;
    const found = all.get(check) ?? { fits: new Map(), told: new Map() };
    all.set(check, found);
    return found;
  }
}
