import type { ParentCall } from "@dispatch/tools-interface";

/** How much one call of an agent may use, the agents that it calls included. */
export interface AgentLimits {
  /**
   * Tokens of all answers and requests, after which no model is asked again. With a limit, a provider that does not report
   * them has used it up. Default: no limit.
   */
  readonly tokens?: number;
  /** Calls of tools. Default 200. */
  readonly calls?: number;
  /** How often its own model is asked. Default 50. */
  readonly turns?: number;
  /** How many agents may lie inside one another, this one included. Default 5. */
  readonly depth?: number;
  /** How long one call may run, in milliseconds; waits for people included. Default 1,800,000 (half an hour). */
  readonly timeMs?: number;
}

const DEFAULT_DEPTH = 5;
const DEFAULT_CALLS = 200;

/** Budgets of the agents that run, by the call that they are. */
const running = new WeakMap<ParentCall, AgentBudget>();

/** The usage of one call of an agent. It counts for the agents around it, too. */
export class AgentBudget {
  tokens = 0;
  calls = 0;
  readonly #limits: AgentLimits;
  /** This one and those around it, innermost first. */
  readonly #chain: readonly AgentBudget[];

  /** @param self - The call of the agent, as the calls that it makes name it. */
  constructor(limits: AgentLimits, parents: readonly ParentCall[], self: ParentCall | undefined) {
    this.#limits = limits;
    const outer = nearest(parents);
    this.#chain = outer === undefined ? [this] : [this, ...outer.#chain];
    if (self !== undefined) running.set(self, this);
  }

  /** How many agents there are, from the outermost one to this one. */
  get depth(): number {
    return this.#chain.length;
  }

  /** The reason that keeps the agent from starting or going on, if any. */
  exceeded(): string | undefined {
    for (const [index, budget] of this.#chain.entries()) {
      const { tokens, depth = DEFAULT_DEPTH } = budget.#limits;
      if (tokens !== undefined && !(budget.tokens < tokens))
        return `${Number.isFinite(budget.tokens) ? budget.tokens : "an unknown number of"} tokens were used, allowed are ${tokens}`;
      if (index >= depth) return `it would be agent ${index + 1} inside of one another, allowed are ${depth}`;
    }
    return undefined;
  }

  /** Counts tokens. A provider that reports no number from 0 has used up every limit, if there is one. */
  spend(tokens: number | undefined): void {
    const isLimited = this.#chain.some((budget) => budget.#limits.tokens !== undefined);
    const unknown = tokens === undefined && !isLimited ? 0 : Infinity;
    const counted = typeof tokens === "number" && tokens >= 0 ? tokens : unknown;
    for (const budget of this.#chain) budget.tokens += counted;
  }

  /** Takes one call out of the budget. `false`: there is none left. */
  takeCall(): boolean {
    const isLeft = this.#chain.every((budget) => budget.calls < (budget.#limits.calls ?? DEFAULT_CALLS));
    if (isLeft) for (const budget of this.#chain) budget.calls += 1;
    return isLeft;
  }
}

/** The budget of the innermost agent around a call. */
function nearest(parents: readonly ParentCall[]): AgentBudget | undefined {
  for (const parent of parents.toReversed()) {
    const budget = running.get(parent);
    if (budget !== undefined) return budget;
  }
  return undefined;
}

/** @throws {RangeError} For a limit that is not a number of at least 1. */
export function checkLimits(name: string, limits: AgentLimits): void {
  for (const [limit, value] of Object.entries(limits)) {
    if (value !== undefined && !(typeof value === "number" && value >= 1)) {
      throw new RangeError(`Cannot create the agent ${name}: ${limit} is ${String(value)}, allowed are numbers from 1`);
    }
  }
}
