/** Rules whose last names are understood: letters, digits, a few signs, stars, sets. */
const UNDERSTOOD = /^!?[\w.+~@*/?[\]^!-]+$/;

/**
 * Tells names that no rule of a `.gitignore` can match, which are nearly all, by the last names of the rules alone: a name
 * that may match still has to be asked of the rules.
 */
export class NameFilter {
  readonly #names = new Set<string>();
  /** Ends of names, from a dot on. */
  readonly #endings = new Set<string>();
  readonly #others: RegExp | undefined;

  private constructor(lastNames: readonly string[]) {
    const sources = new Set<string>();
    for (const name of lastNames) {
      if (!/[*?[]/.test(name)) this.#names.add(name);
      else if (/^\*\.[^*?[]+$/.test(name)) this.#endings.add(name.slice(1));
      else sources.add(sourceOf(name));
    }
    this.#others = sources.size === 0 ? undefined : new RegExp(`^(?:${[...sources].join("|")})$`, "su");
  }

  /** The filter of some rules; `undefined` when one of them may match any name. */
  static of(rules: readonly string[]): NameFilter | undefined {
    const names = rules.map(lastNameOf);
    return names.every((name) => name !== undefined) ? new NameFilter(names) : undefined;
  }

  /** Whether a rule may match a path that ends with this name. */
  mayMatch(name: string): boolean {
    if (this.#names.has(name)) return true;
    if (this.#endings.size > 0)
      for (let dot = name.indexOf("."); dot !== -1; dot = name.indexOf(".", dot + 1))
        if (this.#endings.has(name.slice(dot))) return true;
    return this.#others?.test(name) ?? false;
  }
}

function lastNameOf(rule: string): string | undefined {
  // A slash in a set would make it unclear where the last name begins.
  if (!UNDERSTOOD.test(rule) || /\[[^\]]*\/|\[\]|\[[!^]\]/.test(rule)) return undefined;
  const name = /([^/]+)\/?$/.exec(rule.replace(/^!/, ""))?.[1];
  return name === undefined || /^\*+$/.test(name) || name.includes("**") ? undefined : name;
}

/** A pattern of all that the name matches, and perhaps of more: a set stands for any character. */
function sourceOf(name: string): string {
  return name
    .replace(/\[[^\]]+\]/g, "?")
    .replace(/[.+^[\]]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replaceAll("?", ".");
}
