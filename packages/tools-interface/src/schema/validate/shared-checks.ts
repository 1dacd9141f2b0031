import type { Check } from "./check.ts";

/** A schema to which references lead. */
interface Shared {
  references: number;
  readonly check: Check;
}

/** What one validation has found of a schema: whether a value fits, and the places at which its faults are told. */
interface Found {
  readonly fits: Map<unknown, boolean>;
  readonly told: Map<unknown, Set<string>>;
}

/**
 * Checks of schemas to which several references lead. Each is done once for a value in one validation: in a schema whose unions
 * lead twice to the next one, and so on, the checks of one value would double with each step.
 */
export class SharedChecks {
  readonly #shared = new Map<unknown, Shared>();
  #found: Map<Shared, Found> | undefined;

  /** The check behind one more reference to a schema. */
  of(target: unknown, own: Check): Check {
    const known = this.#shared.get(target);
    if (known !== undefined) {
      known.references += 1;
      return known.check;
    }
    const shared: Shared = {
      references: 1,
      check: (value, faults) => {
        const found = shared.references > 1 ? this.#foundOf(shared) : undefined;
        if (found === undefined) return own(value, faults);
        let fits = found.fits.get(value);
        if (fits === undefined) found.fits.set(value, (fits = own(value)));
        if (fits || faults === undefined) return fits;
        const place = JSON.stringify(faults.path);
        const places = found.told.get(value) ?? new Set();
        if (places.has(place)) return false;
        found.told.set(value, places.add(place));
        return own(value, faults);
      },
    };
    this.#shared.set(target, shared);
    return shared.check;
  }

  /** A check that is one validation. */
  whole(check: Check): Check {
    if ([...this.#shared.values()].every(({ references }) => references < 2)) return check;
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

  #foundOf(shared: Shared): Found | undefined {
    const all = this.#found;
    if (all === undefined) return undefined;
    const found = all.get(shared) ?? { fits: new Map(), told: new Map() };
    all.set(shared, found);
    return found;
  }
}
