import { createPolicy, createStandingGrants, type StandingGrant } from "@dispatch/policy";
import type { AnyTool, Approver as CallApprover } from "@dispatch/tools-interface";
import { oneLine } from "@dispatch/tools-interface/display";

/** An answer that the person may give for calls to come. */
export interface StandingOffer {
  /** The key that gives it. */
  readonly key: string;
  /** As in `always this tool`. */
  readonly label: string;
  /** Gives it. */
  give(by: string): void;
}

/** Answers of a person that stand until the program ends, or they are taken back. */
export interface StandingAnswers {
  /** Asks a person only where no answer stands. */
  approver(ask: CallApprover): CallApprover;
  /** The standing answers that fit a call. */
  offersFor(tool: AnyTool, params: unknown): readonly StandingOffer[];
  list(): readonly StandingGrant[];
  revoke(id: string): boolean;
}

/** They are for this run of the program alone. */
const RUN = { session: "this run", agent: "example-agent" } as const;
const A_DAY_MS = 86_400_000;

/** Creates the standing answers of one run. */
export function createStandingAnswers(tools: Iterable<AnyTool>): StandingAnswers {
  const grants = createStandingGrants();
  const policy = createPolicy({ rules: [], tools, grants, facts: () => RUN });
  return {
    approver: (ask) => policy.approver(ask),
    offersFor(tool, params) {
      const give = (by: string, when?: string): void =>
        void grants.give({ tool, ...RUN, by, expiresInMs: A_DAY_MS, ...(when !== undefined && { when }) });
      const path = pathOf(params);
      const offers = [{ key: "t", label: `always ${oneLine(tool.name)}`, give: (by: string) => give(by) }];
      if (path === undefined) return offers;
      const when = `args.path == ${JSON.stringify(path)}`;
      return [{ key: "p", label: "always this path", give: (by) => give(by, when) }, ...offers];
    },
    list: () => grants.list(),
    revoke: (id) => grants.revoke(id),
  };
}

/** The path that a call is about. One that could be read otherwise in a condition is none. */
function pathOf(params: unknown): string | undefined {
  const { path } = (params ?? {}) as { readonly path?: unknown };
  return typeof path === "string" && path.length < 1_000 && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(path)
    ? path
    : undefined;
}
