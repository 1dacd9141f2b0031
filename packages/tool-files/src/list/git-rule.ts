/** A rule of a `.gitignore`, as Git reads it. Patterns and paths are bytes, here as `latin1` strings: Git counts bytes, not characters. */
export interface GitRule {
  /** Whether it takes back what an earlier rule left out. */
  readonly isNegated: boolean;
  /** Matches a path from the directory of the file, without a slash at its end. */
  matches(path: string, isDirectory: boolean): boolean;
}

/** The UTF-8 bytes of a text, each as a character. */
export function asBytes(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text).toString("latin1");
}

/** Characters that are not themselves in a pattern. */
const SPECIAL = /[*?[\\]/;

/** The rule of a line that is neither empty nor a comment. See gitignore(5), and `dir.c` and `wildmatch.c` of Git. */
export function gitRule(line: string): GitRule {
  const isNegated = line.startsWith("!");
  let pattern = withoutBlanks(isNegated ? line.slice(1) : line);
  const isOfDirectories = pattern.endsWith("/");
  if (isOfDirectories) pattern = pattern.slice(0, -1);
  const isOfNames = !pattern.includes("/");
  const expression = isOfNames ? expressionOf(pattern, "") : pathExpression(pattern.replace(/^\//, ""));
  return {
    isNegated,
    matches(path, isDirectory) {
      if (expression === undefined || (isOfDirectories && !isDirectory)) return false;
      return expression.test(isOfNames ? path.slice(path.lastIndexOf("/") + 1) : path);
    },
  };
}

/** Without the blanks at its end that no backslash keeps. */
function withoutBlanks(pattern: string): string {
  return /^(?:[^ \\]|\\[^]|\\$| +(?! |$))*/.exec(pattern)![0];
}

/** What stands before the first wildcard is compared by itself, so that stars behind it begin a pattern. */
function pathExpression(pattern: string): RegExp | undefined {
  const special = pattern.search(SPECIAL);
  const plain = special === -1 ? pattern : pattern.slice(0, special);
  return expressionOf(pattern.slice(plain.length), plain);
}

/** `undefined`: it matches nothing. */
function expressionOf(pattern: string, plain: string): RegExp | undefined {
  let source = escaped(plain);
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at]!;
    if (character === "\\") {
      at += 1;
      if (at === pattern.length) return undefined;
      source += escaped(pattern[at]!);
    } else if (character === "?") {
      source += "[^/]";
    } else if (character === "*") {
      const start = at;
      while (pattern[at + 1] === "*") at += 1;
      const rest = pattern.slice(at + 1);
      const isBounded = (start === 0 || pattern[start - 1] === "/") && /^(?:$|\/|\\\/)/.test(rest);
      if (at === start || !isBounded) source += "[^/]*";
      else if (rest.startsWith("/")) {
        source += "(?:[^]*/)?";
        at += 1;
      } else source += "[^]*";
    } else if (character === "[") {
      const set = setOf(pattern, at);
      if (set === undefined) return undefined;
      source += set.source;
      at = set.end;
    } else source += escaped(character);
  }
  return new RegExp(`^${source}$`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** Git's own classes, which know ASCII only. */
const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[\t ]/,
  cntrl: /[\0-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t\n\r ]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** The set that begins at `start`, and where it ends. `undefined`: it has no end, or names no class. A slash is in no set. */
function setOf(pattern: string, start: number): { readonly source: string; readonly end: number } | undefined {
  const members = new Set<number>();
  const isNegated = pattern[start + 1] === "!" || pattern[start + 1] === "^";
  let at = start + (isNegated ? 2 : 1);
  let before: number | undefined;
  do {
    if (at >= pattern.length) return undefined;
    let code: number | undefined = pattern.charCodeAt(at);
    const name = /^\[:([^\]]*)\]/.exec(pattern.slice(at));
    if (pattern[at] === "\\") {
      at += 1;
      if (at >= pattern.length) return undefined;
      code = pattern.charCodeAt(at);
      members.add(code);
    } else if (pattern[at] === "-" && before !== undefined && at + 1 < pattern.length && pattern[at + 1] !== "]") {
      at += pattern[at + 1] === "\\" ? 2 : 1;
      if (at >= pattern.length) return undefined;
      for (let member = before; member <= pattern.charCodeAt(at); member += 1) members.add(member);
      code = undefined;
    } else if (name?.[1]!.endsWith(":") === true) {
      const known = CLASSES[name[1].slice(0, -1)];
      if (known === undefined) return undefined;
      for (let member = 0; member < 256; member += 1) if (known.test(String.fromCharCode(member))) members.add(member);
      at += name[0].length - 1;
      code = undefined;
    } else if (pattern.startsWith("[:", at) && !pattern.includes("]", at + 2)) return undefined;
    else members.add(code);
    before = code;
    at += 1;
  } while (pattern[at] !== "]");
  const all = Array.from({ length: 256 }, (_, member) => member).filter(
    (member) => members.has(member) !== isNegated && member !== 0x2f,
  );
  const source = all.map((member) => `\\x${member.toString(16).padStart(2, "0")}`).join("");
  return { source: source === "" ? "[]" : `[${source}]`, end: at };
}

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
