/** Rules whose last names are understood: letters, digits, a few signs, stars, sets, blanks but at the end. */
const UNDERSTOOD = /^!?(?:[\w.+~@*/?[\]^!$#()&',=%;:-]|\\?[ #](?=\S))+$/;

/**
 * Tells names that no rule of a `.gitignore` can match, which are nearly all, by the last names of the rules alone: a name
 * that may match still has to be asked of the rules.
 */
export class NameFilter {
  readonly #names = new Set<string>();
  /** Ends of names, from a dot on. */
  readonly #endings = new Set<string>();
  /** The filter of directories all in which may match. */
  readonly #parents: NameFilter | undefined;
  /** Whether all in the worktree itself may match. */
  readonly #root: boolean;
  readonly #others: RegExp | undefined;

  private constructor(names: readonly RuleName[]) {
    const sources = new Set<string>();
    const parents = names.flatMap(({ parent }) => (parent === undefined || parent === "" ? [] : [{ last: parent }]));
    this.#parents = parents.length === 0 ? undefined : new NameFilter(parents);
    this.#root = names.some(({ parent }) => parent === "");
    for (const { last: name } of names) {
      if (name === undefined) continue;
      if (!/[*?[]/.test(name)) this.#names.add(name);
      else if (/^\*\.[^*?[]+$/.test(name)) this.#endings.add(name.slice(1));
      else sources.add(sourceOf(name));
    }
    this.#others = sources.size === 0 ? undefined : new RegExp(`^(?:${[...sources].join("|")})$`, "su");
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
    return this.#others?.test(name) ?? false;
  }
}

/** What a rule says of a path: its last name, or, where that is any, the name of the directory it is in. */
interface RuleName {
  readonly last?: string;
  /** `""`: the worktree. */
  readonly parent?: string;
}

function ruleNameOf(rule: string): RuleName | undefined {
  // A slash in a set would make it unclear where the last name begins.
  if (!UNDERSTOOD.test(rule) || /\[[^\]]*\/|\[\]|\[[!^]\]/.test(rule)) return undefined;
  const names = rule.replace(/^!/, "").replace(/\/$/, "").split("/");
  const [last, parent] = names.toReversed().map((name) => name.replace(/\\([ #])/g, "$1"));
  if (last !== undefined && isNarrow(last)) return { last };
  if (last !== "*" || parent === undefined) return undefined;
  return parent === "" ? (names.length === 2 ? { parent } : undefined) : isNarrow(parent) ? { parent } : undefined;
}

function isNarrow(name: string): boolean {
  return name !== "" && !/^\*+$/.test(name) && !name.includes("**");
}

/** A pattern of all that the name matches, and perhaps of more: a set stands for any character. */
function sourceOf(name: string): string {
  return name
    .replace(/\[[^\]]+\]/g, "?")
    .replace(/[.+^$()[\]]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replaceAll("?", ".");
}
