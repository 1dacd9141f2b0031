import type { MemoryBlock } from "./memory-block.ts";
import type { MemoryActor } from "./memory-actor.ts";
import type { MemoryLimits } from "./memory-limits.ts";
import { PERMISSIONS, type Permission, type TierPermissions } from "./permission.ts";
import { refuse, type Refusal } from "./refusal.ts";
import { TIERS, type Tier } from "./tier.ts";
import { checkText } from "./check-text.ts";

/** What a write is judged by. */
export interface Policy {
  /** The permission of new blocks. */
  readonly permissions: TierPermissions;
  /** How much is taken. */
  readonly limits: MemoryLimits;
}

/** What is asked for, its label already read. */
export interface Proposal {
  /** The label as it is shown. */
  readonly label: string;
  /** The text, or the addition. */
  readonly content: string;
  /** The tier, if one was named. */
  readonly tier?: Tier | undefined;
  /** The permission, if one was named: a person's privilege. */
  readonly permission?: Permission | undefined;
  /** The reason, if one was given. */
  readonly reason?: string | undefined;
  /** The label of the block whose place it takes, if one was named. */
  readonly supersedes?: string | undefined;
  /** The version the block must have, if one was named. */
  readonly expectVersion?: number | undefined;
}

/** What is to be done with a write. */
export type Decision =
  | { readonly outcome: "create"; readonly tier: Tier; readonly permission: Permission; readonly content: string }
  | { readonly outcome: "edit"; readonly offset: number; readonly before: string; readonly after: string }
  | { readonly outcome: "queue"; readonly tier: Tier; readonly content: string }
  | { readonly outcome: "keep" }
  | { readonly outcome: "conflict"; readonly reason: string }
  | Refusal;

/**
 * Decides on a write by the block as it is, `null` when there is none. The whole of what the agent may and may not do
 * is here: no state, no clock, no database.
 */
export function decide(
  block: MemoryBlock | null,
  proposal: Proposal,
  actor: MemoryActor["kind"],
  policy: Policy,
): Decision {
  const { label, content, tier, expectVersion } = proposal;
  const { limits } = policy;
  const bad =
    checkValues(proposal) ??
    checkText("Content", content, limits.contentCharacters) ??
    checkText("Reason", proposal.reason ?? "", limits.reasonCharacters);
  if (bad) return bad;
  if (content.trim() === "") {
    return refuse(
      "empty",
      `Write to ${label} refused: the content is empty, allowed is text; nothing is erased by writing nothing, leave the block as it is or write what should stand there`,
    );
  }
  if (block !== null && tier !== undefined && tier !== block.tier) {
    return refuse(
      "tier_mismatch",
      `Write to ${label} refused: it is in tier ${block.tier}, not ${tier}, and writing does not move it; leave tier out to change it where it is, or choose another label`,
    );
  }
  if (block !== null && proposal.permission !== undefined) {
    return refuse(
      "invalid_value",
      `Write to ${label} refused: it has permission ${block.permission} and writing does not change that; use setPermission`,
    );
  }
  const version = block?.version ?? 0;
  if (expectVersion !== undefined && expectVersion !== version) {
    return {
      outcome: "conflict",
      reason: `Write to ${label} not done: version ${expectVersion} was expected, ${version === 0 ? "there is no such block" : `it has version ${version}`}; read it, merge the two texts and write again with its present version`,
    };
  }
  return block === null ? decideNew(proposal, actor, policy) : decideChange(block, content, actor, limits);
}

/** The compiler holds TypeScript callers to these; a manager may be handed to others. */
function checkValues({ label, tier, permission, expectVersion }: Proposal): Refusal | undefined {
  const wrong = (found: unknown, allowed: string): Refusal =>
    refuse("invalid_value", `Write to ${label} refused: ${JSON.stringify(found)} was given, allowed is ${allowed}`);
  if (tier !== undefined && !TIERS.includes(tier)) return wrong(tier, `a tier: ${TIERS.join(", ")}`);
  if (permission !== undefined && !PERMISSIONS.includes(permission))
    return wrong(permission, `a permission: ${PERMISSIONS.join(", ")}`);
  if (expectVersion !== undefined && !(Number.isSafeInteger(expectVersion) && expectVersion >= 0))
    return wrong(expectVersion, "a version: 0, 1, 2, …");
  return undefined;
}

function decideNew(proposal: Proposal, actor: MemoryActor["kind"], policy: Policy): Decision {
  const { label, content } = proposal;
  const tier = proposal.tier ?? "working";
  const permission = proposal.permission ?? policy.permissions[tier];
  if (actor === "agent" && permission === "readonly") {
    return refuse(
      "readonly",
      `Write to ${label} refused: new ${tier} blocks are readonly, only a person can create them; use another tier or ask the person`,
    );
  }
  if (actor === "agent" && permission === "familiar") return { outcome: "queue", tier, content };
  return { outcome: "create", tier, permission, content };
}

function decideChange(block: MemoryBlock, content: string, actor: MemoryActor["kind"], limits: MemoryLimits): Decision {
  const replace = { outcome: "edit", offset: 0, before: block.content, after: content } as const;
  if (actor === "person") return content === block.content ? { outcome: "keep" } : replace;
  switch (block.permission) {
    case "readonly":
      return refuse(
        "readonly",
        `Write to ${block.label} refused: it is readonly, only a person can change it; write to another label or ask the person`,
      );
    case "append": {
      const after = `\n${content}`;
      const length = block.content.length + after.length;
      if (length > limits.contentCharacters) {
        return refuse(
          "too_large",
          `Write to ${block.label} refused: it has ${block.content.length} characters and would have ${length}, allowed are ${limits.contentCharacters}; write to a new label such as ${block.label}-2`,
        );
      }
      return { outcome: "edit", offset: block.content.length, before: "", after };
    }
    case "familiar":
      return content === block.content ? { outcome: "keep" } : { outcome: "queue", tier: block.tier, content };
    case "readwrite":
      return content === block.content ? { outcome: "keep" } : replace;
  }
}
