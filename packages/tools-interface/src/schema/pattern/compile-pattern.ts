import { truncate } from "../../error/describe-received.ts";

/** Ways that the engine of JavaScript may try one by one. Some milliseconds. */
const MAX_WAYS = 100_000;
/** An expression whose ways grow with the text and no faster has at most so many for each character. */
const MAX_LINEAR_WAYS = 10;
/** Characters of a text for an expression that is not read: its ways may double with each. */
const MAX_UNREAD = 16;
/** Of an expression in a message, in characters. */
const MAX_SHOWN = 80;
/** A length beyond which no text is expected. */
const LONGEST = 1_000_000;

/**
 * Compiles a regular expression in Unicode mode to a search of bounded time. Texts come from models, and the
 * engine of JavaScript takes the square of their length or far more for some expressions. Those are searched by an automaton.
 *
 * @returns A function that answers whether a text matches. It throws a `TypeError` if the search would take too long.
 * @throws {SyntaxError} If the expression is none.
 */
export function compilePattern(source: string): (text: string) => boolean {
  const expression = new RegExp(source, "u");
  const part = readPattern(source);
  const longest =
    part === undefined
      ? MAX_UNREAD
      : longestText((length) => (startsAtStart(part) ? 1 : length + 1) * ways(part, length));
  if (longest === Infinity) return (text) => expression.test(text);
  let automaton: ReturnType<typeof createAutomaton> | "not made" = "not made";
  return (text) => {
    if (text.length <= longest) return expression.test(text);
    if (automaton === "not made") automaton = part === undefined ? undefined : createAutomaton(part);
    const matches = automaton?.(text);
    if (matches !== undefined) return matches;
    const pattern = truncate(JSON.stringify(source), MAX_SHOWN);
    throw new TypeError(`a text of ${text.length} characters is too long to be checked against the pattern ${pattern}`);
  };
}

/** The length of the longest text that may be searched by the engine of JavaScript. */
function longestText(waysOf: (length: number) => number): number {
  if (waysOf(LONGEST) <= MAX_LINEAR_WAYS * LONGEST) return Infinity;
  let [fits, exceeds] = [0, LONGEST];
  while (exceeds - fits > 1) {
    const middle = Math.floor((fits + exceeds) / 2);
    if (waysOf(middle) <= MAX_WAYS) fits = middle;
    else exceeds = middle;
  }
  return fits;
}

/**
 * In how many ways an expression can go through a text of `length` characters at most, from one place, before a search that tries
 * them one by one gives up. `Infinity` if they double with each character.
 */
function ways(part: PatternPart, length: number): number {
  switch (part.kind) {
    case "character":
    case "place":
      return 1;
    case "irregular":
      return part.body === undefined ? 1 : ways(part.body, length);
    case "look":
      // It is searched from each place anew.
      return (length + 1) * ways(part.body, length);
    case "sequence":
      return part.parts.reduce((product, one) => product * ways(one, length), 1);
    case "choice":
      return part.parts.reduce((sum, one) => sum + ways(one, length), 0);
    case "repeat": {
      const most = Math.min(part.most, length + 1);
      const counts = Math.max(most - Math.min(part.least, length + 1), 0) + 1;
      return counts * ways(part.body, length) ** most;
    }
  }
}

/** Whether a match can begin nowhere but at the start of the text. */
function startsAtStart(part: PatternPart): boolean {
  if (part.kind === "place") return part.at === "start";
  if (part.kind === "sequence") return part.parts[0] !== undefined && startsAtStart(part.parts[0]);
  return part.kind === "choice" && part.parts.every(startsAtStart);
}

/** A part of a regular expression. */
type PatternPart =
  /** One character that `source` matches. */
  | { readonly kind: "character"; readonly source: string }
  /** A place between two characters. */
  | { readonly kind: "place"; readonly at: Place }
  /** A place where `body` matches ahead or behind, or does not. */
  | { readonly kind: "look"; readonly body: PatternPart; readonly ahead: boolean; readonly negated: boolean }
  | { readonly kind: "sequence"; readonly parts: readonly PatternPart[] }
  | { readonly kind: "choice"; readonly parts: readonly PatternPart[] }
  | { readonly kind: "repeat"; readonly body: PatternPart; readonly least: number; readonly most: number }
  /** A part that no automaton matches: a reference to what a group matched, or flags for a group. */
  | { readonly kind: "irregular"; readonly body: PatternPart | undefined };

/** The start or the end of the text, or a place where a word begins or ends, or where none does. */
type Place = "start" | "end" | "word" | "no word";

/** Groups nested deeper are not read. */
const MAX_DEPTH = 50;

const PLACES: ReadonlyMap<string, Place> = new Map([
  ["^", "start"],
  ["$", "end"],
  [String.raw`\b`, "word"],
  [String.raw`\B`, "no word"],
]);
/** A pair of escaped surrogates, a class, an escape, or a character. */
const ATOM =
  /\\u[Dd][89ABab][\dA-Fa-f]{2}\\u[Dd][C-Fc-f][\dA-Fa-f]{2}|\[(?:\\.|[^\]\\])*\]|\\u\{[^}]*\}|\\u[\dA-Fa-f]{4}|\\x[\dA-Fa-f]{2}|\\[pP]\{[^}]*\}|\\k<[^>]*>|\\c.|\\[1-9]\d*|\\.|[^]/uy;
const GROUP = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[ims-]+:))?/uy;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/uy;

/** Reads an expression that is valid in Unicode mode. `undefined` if its groups are nested too deep. */
export function readPattern(source: string): PatternPart | undefined {
  const reader = new Reader(source);
  const part = reader.choice(0);
  return part !== undefined && reader.isAtEnd ? part : undefined;
}

class Reader {
  private readonly source: string;
  private at = 0;

  constructor(source: string) {
    this.source = source;
  }

  get isAtEnd(): boolean {
    return this.at >= this.source.length;
  }

  choice(depth: number): PatternPart | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const parts: PatternPart[] = [];
    for (;;) {
      const part = this.sequence(depth);
      if (part === undefined) return undefined;
      parts.push(part);
      if (this.source[this.at] !== "|") return parts.length === 1 ? part : { kind: "choice", parts };
      this.at += 1;
    }
  }

  private sequence(depth: number): PatternPart | undefined {
    const parts: PatternPart[] = [];
    while (!this.isAtEnd && this.source[this.at] !== "|" && this.source[this.at] !== ")") {
      const body = this.source[this.at] === "(" ? this.group(depth) : this.atom();
      if (body === undefined) return undefined;
      parts.push(this.repeated(body));
    }
    return { kind: "sequence", parts };
  }

  private atom(): PatternPart {
    const source = this.take(ATOM)?.[0] ?? "";
    const at = PLACES.get(source);
    if (at !== undefined) return { kind: "place", at };
    return /^\\(?:[1-9]|k<)/u.test(source) ? { kind: "irregular", body: undefined } : { kind: "character", source };
  }

  private group(depth: number): PatternPart | undefined {
    const head = this.take(GROUP)?.[0] ?? "";
    const body = this.choice(depth + 1);
    if (body === undefined) return undefined;
    this.at += 1;
    if (/[=!]$/u.test(head)) return { kind: "look", body, ahead: !head.includes("<"), negated: head.endsWith("!") };
    return /^\(\?[ims-]/u.test(head) ? { kind: "irregular", body } : body;
  }

  private repeated(body: PatternPart): PatternPart {
    const found = this.take(QUANTIFIER);
    if (found === undefined) return body;
    const [whole, lower, upper = lower] = found;
    if (whole.startsWith("{"))
      return { kind: "repeat", body, least: Number(lower), most: upper === "" ? Infinity : Number(upper) };
    return { kind: "repeat", body, least: whole.startsWith("+") ? 1 : 0, most: whole.startsWith("?") ? 1 : Infinity };
  }

  /** Takes the text that an expression matches here. */
  private take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at;
    const found = expression.exec(this.source) ?? undefined;
    this.at += found?.[0].length ?? 0;
    return found;
  }
}

/** More states are not made: `(?:a{99}){99}` has ten thousand. */
const MAX_STATES = 4_000;
/** Steps of one search. Some hundred milliseconds. */
const MAX_STEPS = 10_000_000;
/** Characters whose test is kept, for each part. */
const MAX_KEPT = 5_000;
const WORD = /^\w$/u;

type Look = Extract<PatternPart, { kind: "look" }>;
type State =
  | { readonly kind: "character"; readonly accepts: (character: string) => boolean; readonly next: number }
  | { readonly kind: "place"; readonly at: Place | Search; readonly next: number }
  | { readonly kind: "branch"; readonly next: number[] }
  | { readonly kind: "end" };

/** Follows all ways of an expression at once, from the first character to the last, or from the last to the first. */
interface Search {
  readonly states: readonly State[];
  readonly start: number;
  readonly forward: boolean;
  readonly negated: boolean;
}

/**
 * Makes a search for a regular expression whose time grows with the length of the text and of the expression alone (Thompson
 * 1968). Where `(?=…)` and the like hold is found for all places at once. The search answers `undefined` when it would take too long.
 *
 * @returns `undefined` for an expression with an irregular part, or with too many states.
 */
export function createAutomaton(part: PatternPart): ((text: string) => boolean | undefined) | undefined {
  const search = toSearch(part, true, false);
  if (search === undefined) return undefined;
  return (text) => {
    try {
      return new Run(Array.from(text)).find(search, undefined);
    } catch (error) {
      if (error === TOO_LONG) return undefined;
      throw error;
    }
  };
}

const TOO_LONG = new RangeError("Cannot search: the text is too long for the expression");

function toSearch(part: PatternPart, forward: boolean, negated: boolean): Search | undefined {
  const states: State[] = [{ kind: "end" }];
  const start = new Builder(states, forward).build(part, 0);
  return start === undefined ? undefined : { states, start, forward, negated };
}

/** Adds the states of parts, each before the state that follows it. */
class Builder {
  private readonly states: State[];
  private readonly forward: boolean;

  constructor(states: State[], forward: boolean) {
    this.states = states;
    this.forward = forward;
  }

  /** The first state of a part, or `undefined` if none can be made. */
  build(part: PatternPart, next: number): number | undefined {
    switch (part.kind) {
      case "character":
        return this.add({ kind: "character", accepts: testOf(part.source), next });
      case "place":
        return this.add({ kind: "place", at: part.at, next });
      case "look":
        return this.look(part, next);
      case "sequence":
        return (this.forward ? part.parts.toReversed() : part.parts).reduce<number | undefined>(
          (after, one) => (after === undefined ? undefined : this.build(one, after)),
          next,
        );
      case "choice":
        return this.branch(part.parts.map((one) => this.build(one, next)));
      case "repeat":
        return this.repeat(part, next);
      case "irregular":
        return undefined;
    }
  }

  private look({ body, ahead, negated }: Look, next: number): number | undefined {
    // A place where a match begins is found from the end of the text.
    const at = toSearch(body, !ahead, negated);
    return at === undefined ? undefined : this.add({ kind: "place", at, next });
  }

  private repeat({ body, least, most }: Extract<PatternPart, { kind: "repeat" }>, next: number): number | undefined {
    let first: number | undefined = next;
    if (most === Infinity) {
      const loop: number[] = [];
      first = this.branch(loop);
      if (first === undefined) return undefined;
      const again = this.build(body, first);
      if (again === undefined) return undefined;
      loop.push(again, next);
    }
    const optional = most === Infinity ? 0 : most - least;
    for (let count = 0; count < optional && first !== undefined; count += 1) {
      first = this.branch([this.build(body, first), next]);
    }
    for (let count = 0; count < least && first !== undefined; count += 1) first = this.build(body, first);
    return first;
  }

  private branch(next: (number | undefined)[]): number | undefined {
    return next.includes(undefined) ? undefined : this.add({ kind: "branch", next: next as number[] });
  }

  private add(state: State): number | undefined {
    return this.states.length < MAX_STATES ? this.states.push(state) - 1 : undefined;
  }
}

/** Whether a part of one character matches a character. */
function testOf(source: string): (character: string) => boolean {
  const expression = new RegExp(`^(?:${source})$`, "u");
  const kept = new Map<string, boolean>();
  return (character) => {
    const known = kept.get(character);
    if (known !== undefined) return known;
    const fits = expression.test(character);
    if (kept.size < MAX_KEPT) kept.set(character, fits);
    return fits;
  };
}

/** One search in one text, and the searches within it. */
class Run {
  private readonly characters: readonly string[];
  private readonly looks = new Map<Search, Uint8Array>();
  private steps = 0;

  constructor(characters: readonly string[]) {
    this.characters = characters;
  }

  /** Whether there is a match. With `places`, all are marked where a match ends; for a search backwards, where it begins. */
  find({ states, start, forward }: Search, places: Uint8Array | undefined): boolean {
    const { characters } = this;
    const seen = new Int32Array(states.length).fill(-1);
    let open: number[] = [];
    for (let step = 0; step <= characters.length; step += 1) {
      const at = forward ? step : characters.length - step;
      const here: number[] = [];
      for (const state of [...open, start]) this.follow(states, state, at, seen, step, here);
      if (seen[0] === step) {
        if (places === undefined) return true;
        places[at] = 1;
      }
      const character = characters[forward ? at : at - 1] ?? "";
      open = [];
      for (const one of here) {
        const state = states[one] as Extract<State, { kind: "character" }>;
        if (state.accepts(character)) open.push(state.next);
      }
    }
    return false;
  }

  /** Adds the states that wait for a character, from a state on. */
  private follow(
    states: readonly State[],
    from: number,
    at: number,
    seen: Int32Array,
    step: number,
    into: number[],
  ): void {
    const waiting = [from];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      this.steps += 1;
      if (this.steps > MAX_STEPS) throw TOO_LONG;
      if (seen[one] === step) continue;
      seen[one] = step;
      const state = states[one]!;
      if (state.kind === "character") into.push(one);
      else if (state.kind === "branch") waiting.push(...state.next);
      else if (state.kind === "place" && this.holds(state.at, at)) waiting.push(state.next);
    }
  }

  private holds(place: Place | Search, at: number): boolean {
    if (place === "start") return at === 0;
    if (place === "end") return at === this.characters.length;
    if (typeof place === "string") return (this.isWord(at - 1) !== this.isWord(at)) === (place === "word");
    let places = this.looks.get(place);
    if (places === undefined) {
      places = new Uint8Array(this.characters.length + 1);
      this.looks.set(place, places);
      this.find(place, places);
    }
    return (places[at] === 1) !== place.negated;
  }

  private isWord(at: number): boolean {
    const character = this.characters[at];
    return character !== undefined && WORD.test(character);
  }
}
