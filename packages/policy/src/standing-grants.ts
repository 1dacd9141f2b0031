import type { AnyTool } from "@dispatch/tools-interface";
import { checkOptions } from "@dispatch/tools-interface/internal";
import { ruleCompiler, type Condition } from "./compile-rule.ts";
import { PolicyError } from "./policy-rule.ts";
import type { Facts } from "./rule-language.ts";

/** A person's answer to questions that will come: "always for this session, this tool, these arguments". Plain data. */
export interface StandingGrant {
  /** Names the grant: `grant:ID` in the decisions that it makes, and for `revoke`. */
  readonly id: string;
  /** Name of the tool. */
  readonly tool: string;
  /** The tool as it was when the person agreed: one that has changed asks again. */
  readonly fingerprint: string;
  /** The session it is for; `*` for every one. */
  readonly session: string;
  /** The agent it is for; `*` for every one. */
  readonly agent: string;
  /** The calls it is for, as a condition in CEL. Default: all calls of the tool. */
  readonly when?: string;
  /** When it ends, Unix time in milliseconds. */
  readonly expiresAt: number;
  /** Who agreed, in the host's words. */
  readonly by: string;
  /** When, Unix time in milliseconds. */
  readonly grantedAt: number;
}

/** The scope of a new grant. */
export interface GrantTerms extends Pick<StandingGrant, "session" | "agent" | "when" | "by"> {
  /** The tool. */
  readonly tool: Pick<AnyTool, "name" | "parameters" | "fingerprint">;
  /** How long it lasts, in milliseconds. */
  readonly expiresInMs: number;
}

/** Options of {@link createStandingGrants}. */
export interface StandingGrantsOptions {
  /** Grants that were kept, as `list()` gave them. One for a tool that has changed stays listed and allows nothing. */
  readonly kept?: readonly StandingGrant[];
  /** The tools of kept grants. */
  readonly tools?: readonly Pick<AnyTool, "name" | "parameters" | "fingerprint">[];
  /** Called with all grants after each change: keep them where no model can write. */
  readonly onChange?: (grants: readonly StandingGrant[]) => void;
  /** The time, Unix time in milliseconds. Default `Date.now`. */
  readonly now?: () => number;
}

/** Answers that stand. A policy asks them before it asks a person; they never overrule a `deny`. */
export interface StandingGrants {
  /**
   * Gives a grant.
   *
   * @throws {PolicyError} For a condition that does not fit the tool, and without session, agent, person or an end.
   */
  give(terms: GrantTerms): StandingGrant;
  /** The grants that have not ended, oldest first. */
  list(): readonly StandingGrant[];
  /** Ends a grant, at once. `false`: there is none of this id. */
  revoke(id: string): boolean;
  /** The first grant that allows a call. For policies. */
  find(call: { readonly facts: Facts; readonly fingerprint: string }): StandingGrant | undefined;
}

interface Kept {
  readonly grant: StandingGrant;
  readonly holds: Condition;
}

/**
 * Creates a list of standing grants.
 *
 * @throws {PolicyError} For a kept grant that cannot be read, or whose condition is not sound.
 *
 * @example
 * ```ts
 * const grants = createStandingGrants({ onChange: save });
 * const policy = createPolicy({ rules, tools: registry.tools, grants });
 * grants.give({ tool: registry.get("write_file"), when: 'within(args.path, "src")', session, agent: "*", by: "Ada", expiresInMs: 3_600_000 });
 * ```
 */
export function createStandingGrants(options: StandingGrantsOptions = {}): StandingGrants {
  checkOptions("keep grants", options, { kept: true, tools: true, onChange: true, now: true });
  const { kept = [], tools = [], onChange, now = Date.now } = options;
  const grants = new Map<string, Kept>();
  for (const grant of kept) {
    checkGrant(grant);
    const tool = tools.find(({ name, fingerprint }) => name === grant.tool && fingerprint === grant.fingerprint);
    grants.set(grant.id, { grant, holds: conditionOf(grant, tool ?? grant.tool) });
  }
  const list = (): readonly StandingGrant[] =>
    [...grants.values()].map(({ grant }) => grant).filter(({ expiresAt }) => expiresAt > now());
  return {
    give(terms) {
      checkOptions("give a grant", terms, {
        tool: true,
        expiresInMs: true,
        session: true,
        agent: true,
        when: true,
        by: true,
      });
      const { tool, expiresInMs, session, agent, when, by } = terms;
      const grantedAt = now();
      const { name, fingerprint } = tool;
      const given = { tool: name, fingerprint, session, agent, ...(when !== undefined && { when }), by };
      const grant = Object.freeze({ id: crypto.randomUUID(), ...given, grantedAt, expiresAt: grantedAt + expiresInMs });
      checkGrant(grant);
      grants.set(grant.id, { grant, holds: conditionOf(grant, tool) });
      for (const [id, { grant: old }] of grants) if (old.expiresAt <= grantedAt) grants.delete(id);
      onChange?.(list());
      return grant;
    },
    list,
    revoke(id) {
      const isThere = grants.delete(id);
      if (isThere) onChange?.(list());
      return isThere;
    },
    find({ facts, fingerprint }) {
      const time = now();
      const found = [...grants.values()].find(
        ({ grant, holds }) =>
          grant.tool === facts.tool &&
          grant.fingerprint === fingerprint &&
          grant.expiresAt > time &&
          binds(grant.session, facts.session) &&
          binds(grant.agent, facts.agent) &&
          surely(holds, facts),
      );
      return found?.grant;
    },
  };
}

/** A session that is not known is none that a grant could be for. */
function binds(granted: string, found: string | undefined): boolean {
  return granted === "*" || (found !== undefined && granted === found);
}

function surely(holds: Condition, facts: Facts): boolean {
  try {
    return holds(facts);
  } catch {
    return false;
  }
}

function conditionOf(grant: StandingGrant, tool: string | GrantTerms["tool"]): Condition {
  const { id, when, tool: name } = grant;
  return ruleCompiler([tool])({ id: `grant:${id}`, tools: [name], ...(when !== undefined && { when }) });
}

function checkGrant(given: StandingGrant): void {
  const grant = (given ?? {}) as Partial<StandingGrant>;
  const texts = [grant.id, grant.tool, grant.fingerprint, grant.session, grant.agent, grant.by];
  const times = [grant.expiresAt, grant.grantedAt];
  const isSound =
    texts.every((text) => typeof text === "string" && text !== "") &&
    times.every((time) => Number.isSafeInteger(time)) &&
    Number(grant.expiresAt) > Number(grant.grantedAt);
  if (!isSound) {
    throw new PolicyError(
      `Cannot use a standing grant: found ${JSON.stringify(grant)?.slice(0, 300)}, allowed is one with tool, fingerprint, session, agent, person and a later end`,
    );
  }
}
