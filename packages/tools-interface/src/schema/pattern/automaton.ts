import type { PatternPart, Place } from "./read-pattern.ts";

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
