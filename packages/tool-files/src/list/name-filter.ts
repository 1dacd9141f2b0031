/** Rules whose last names are understood: letters, digits, a few signs, stars, sets, blanks but at the end. */
const UNDERSTOOD = /^!?(?:[\w.+~@*/?[\]^!$#()&',=%;:-]|\\?[ #](?=\S))+$/;

/**
 * Recognises names that no rule of a `.gitignore` can match, which are nearly all, by the last names of the rules
 * alone: a name that may match still has to be checked against the rules.
 */
export class NameFilter {
  readonly #names = new Set<string>();
  /** Ends of names, from a dot on. */
  readonly #endings = new Set<string>();
  /** The filter of directories all in which may match. */
  readonly #parents: NameFilter | undefined;
  /** Whether all in the worktree itself may match. */
  readonly #root: boolean;
  /** Patterns of names by the last letter, where they name it. */
  readonly #byLast: ReadonlyMap<string, RegExp>;
  /** Of the others by the first letter, where they name that; under `""` those that name neither. */
  readonly #byFirst: ReadonlyMap<string, RegExp>;
  readonly #any: RegExp | undefined;

  private constructor(names: readonly RuleName[]) {
    const [byLast, byFirst] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
    const parents = names.flatMap(({ parent }) => (parent === undefined || parent === "" ? [] : [{ last: parent }]));
    this.#parents = parents.length === 0 ? undefined : new NameFilter(parents);
    this.#root = names.some(({ parent }) => parent === "");
    for (const { last: name } of names) {
      if (name === undefined) continue;
      if (!/[*?[]/.test(name)) this.#names.add(name);
      else if (/^\*\.[^*?[]+$/.test(name)) this.#endings.add(name.slice(1));
      else {
        const form = name.replace(/\[[^\]]+\]/g, "?");
        const [first, last] = [letterOf(form[0]), letterOf(form.at(-1))];
        const [place, letter] = last === "" ? [byFirst, first] : [byLast, last];
        place.set(letter, (place.get(letter) ?? new Set()).add(sourceOf(form)));
      }
    }
    this.#byLast = expressions(byLast);
    this.#byFirst = expressions(byFirst);
    this.#any = this.#byFirst.get("");
  }

  /** The filter of some rules; `undefined` when one of them may match any name. */
  static of(rules: readonly string[]): NameFilter | undefined {
    const names = rules.map(ruleNameOf);
    return names.every((name) => name !== undefined) ? new NameFilter(names) : undefined;
  }

  /** Whether a rule may match a path. */
  mayMatch(path: string): boolean {
    const slash = path.lastIndexOf("/");
    if (this.#mayMatchName(path.slice(slash + 1))) return true;
    if (slash === -1) return this.#root;
    if (this.#parents === undefined) return false;
    return this.#parents.#mayMatchName(path.slice(path.lastIndexOf("/", slash - 1) + 1, slash));
  }

  #mayMatchName(name: string): boolean {
    if (this.#names.has(name)) return true;
    if (this.#endings.size > 0)
      for (let dot = name.indexOf("."); dot !== -1; dot = name.indexOf(".", dot + 1))
        if (this.#endings.has(name.slice(dot))) return true;
    // A name is asked of few patterns, however many rules there are.
    return (
      this.#byLast.get(name[name.length - 1] ?? "")?.test(name) === true ||
      this.#byFirst.get(name[0] ?? "")?.test(name) === true ||
      this.#any?.test(name) === true
    );
  }
}

/**
 * The part of a rule that names an entry: its last name, or, if that matches any, the name of the directory it is in.
 */
interface RuleName {
  readonly last?: string;
  /** `""`: the worktree. */
  readonly parent?: string;
}

function ruleNameOf(rule: string): RuleName | undefined {
  // A slash in a set would make it unclear where the last name begins, and so do stars beside a name; `[:` is a class in a set.
  if (!UNDERSTOOD.test(rule) || /\[[^\]]*\/|\[\]|\[[!^]\]|\[:|[^/!*]\*\*|\*\*[^/*]/.test(rule)) return undefined;
  const names = rule.replace(/^!/, "").replace(/\/$/, "").split("/");
  const [last, parent] = names.toReversed().map((name) => name.replace(/\\([ #])/g, "$1"));
  if (last !== undefined && isNarrow(last)) return { last };
  if (last !== "*" || parent === undefined) return undefined;
  return parent === "" ? (names.length === 2 ? { parent } : undefined) : isNarrow(parent) ? { parent } : undefined;
}

function isNarrow(name: string): boolean {
  return name !== "" && !/^\*+$/.test(name) && !name.includes("**");
}

/** The letter a name begins or ends with; `""` for a wildcard. */
function letterOf(end: string | undefined): string {
  return end === undefined || end === "*" || end === "?" ? "" : end;
}

function expressions(sources: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, RegExp> {
  return new Map([...sources].map(([letter, all]) => [letter, new RegExp(`^(?:${[...all].join("|")})$`, "su")]));
}

/** A pattern of all that the name matches, and perhaps of more: a set, here `?`, stands for any character. */
function sourceOf(form: string): string {
  return form
    .replace(/[.+^$()[\]]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replaceAll("?", ".");
}
