import { quote } from "../block/label.ts";
import {
  type MemoryBlock,
  toState,
  PERMISSIONS,
  stricter,
  isBelow,
  isOutranked,
  leastTrusted,
  type Provenance,
  toProvenance,
  type Tier,
  TIERS,
  type Permission,
  type Source,
} from "../block/memory-block.ts";
import { type MemoryActor, type Splice, splice } from "../block/memory-event.ts";
import type { MemoryLimits } from "../block/memory-limits.ts";
import type { EditRequest, MoveRequest, RemoveRequest, WriteRequest } from "../block/memory-manager.ts";
import { toPromptJson } from "../text/escape-invisible.ts";
import { checkText, type Refusal, refuse } from "../text/refusal.ts";
import { toInstant } from "../text/to-instant.ts";
import { type Change, NO_SPLICE, type Policy, replaceAll } from "./apply-change.ts";

/** A request for a change as it is decided on: its label as shown, its source known. */
type Asked<Op, Request> = Omit<Request, "source"> & { readonly op: Op; readonly source: Source };

/** Writes a whole text or an addition. Creates the block if needed. Only a person may give a permission. */
export type WriteProposal = Asked<"write", Omit<WriteRequest, "findSimilar">> & {
  readonly permission?: Permission | undefined;
};

/** A requested change, by the agent or a person. */
export type Proposal =
  | WriteProposal
  | Asked<"edit", EditRequest>
  | Asked<"move", MoveRequest>
  | Asked<"remove", RemoveRequest>;

/** The common fields of decisions that a write waits for a person. */
export const QUEUED_WRITE = { outcome: "queue", op: "write", newLabel: null } as const;

/** The decision that a change requires a person's approval. */
export interface QueueDecision extends Provenance {
  readonly outcome: "queue";
  readonly op: "write" | "move" | "remove";
  readonly tier: Tier;
  /** The label that the block would have, `null` for its present one. */
  readonly newLabel: string | null;
  readonly content: string;
  /** Since when it is true, `null` when that is not said. */
  readonly validFrom: string | null;
}

/** The decision on a proposal. `keep`: the block is already as proposed. */
export type Decision =
  | { readonly outcome: "apply"; readonly change: Change }
  | QueueDecision
  | { readonly outcome: "keep" }
  | { readonly outcome: "conflict"; readonly reason: string }
  | Refusal;

/**
 * Decides whether a proposed change is applied, queued for a person (`familiar`) or refused. All rules for the agent are
 * here, in a pure function without state, clock or database.
 *
 * @param block the present block, `null` when there is none.
 */
export function decide(
  block: MemoryBlock | null,
  proposal: Proposal,
  actor: MemoryActor["kind"],
  policy: Policy,
): Decision {
  const bad = checkProposal(block, proposal, policy.limits);
  if (bad) return bad;
  const { label, expectVersion } = proposal;
  const version = block?.version ?? 0;
  if (expectVersion !== undefined && expectVersion !== version) {
    return {
      outcome: "conflict",
      reason: `Write to ${quote(label)} not done: version ${expectVersion} was expected, ${version === 0 ? "there is no such block" : `it has version ${version}`}; read it, merge the two texts and write again with its present version`,
    };
  }
  if (block === null) {
    if (proposal.op === "write") return decideNew(proposal, actor, policy);
    return refuse(
      "not_found",
      `Change of ${quote(label)} refused: there is no such block; memory_list names those there are`,
    );
  }
  if (actor === "agent" && block.permission === "readonly") {
    return refuse(
      "readonly",
      `Write to ${quote(label)} refused: it is readonly, only a person can change it; write to another label or ask the person`,
    );
  }
  switch (proposal.op) {
    case "write":
      return decideText(block, toSplice(block, proposal, actor), proposal, actor, policy);
    case "edit":
      return decideText(block, proposal, proposal, actor, policy);
    case "move":
      return decideMove(block, proposal, actor, policy);
    case "remove":
      return decideRemoval(block, proposal, actor);
  }
}

function decideNew(proposal: WriteProposal, actor: MemoryActor["kind"], policy: Policy): Decision {
  const { label, content, source } = proposal;
  const tier = proposal.tier ?? "working";
  const permission = proposal.permission ?? policy.permissions[tier];
  const provenance = toProvenance(source);
  const validFrom = toValidFrom(proposal);
  if (actor === "agent" && permission === "readonly") {
    return refuse(
      "readonly",
      `Write to ${quote(label)} refused: new ${tier} blocks are readonly, only a person can create them; use another tier or ask the person`,
    );
  }
  if (actor === "agent" && (permission === "familiar" || staysOut(tier, provenance, policy))) {
    return { ...QUEUED_WRITE, tier, content, validFrom: validFrom ?? null, ...provenance };
  }
  const is = toState({ label, tier, permission, ...provenance, validFrom });
  return { outcome: "apply", change: { kind: "created", block: null, is, splice: replaceAll("", content) } };
}

function toValidFrom(proposal: Proposal): string | undefined {
  return proposal.op === "write" && proposal.validFrom !== undefined ? toInstant(proposal.validFrom) : undefined;
}

function toSplice(block: MemoryBlock, { content }: WriteProposal, actor: MemoryActor["kind"]): Splice {
  const adds = actor === "agent" && block.permission === "append";
  return adds
    ? { offset: block.content.length, before: "", after: `\n${content}` }
    : replaceAll(block.content, content);
}

function decideText(
  block: MemoryBlock,
  { offset, before, after }: Splice,
  proposal: Proposal,
  actor: MemoryActor["kind"],
  policy: Policy,
): Decision {
  const { op, label, source } = proposal;
  const content = splice(block.content, { offset, before, after });
  if (content === undefined) {
    return {
      outcome: "conflict",
      reason: `Change of ${quote(label)} not done: the text to be replaced does not stand there any more; read it and try again`,
    };
  }
  if (content.length > policy.limits.contentChars) {
    return refuse(
      "too_large",
      `Write to ${quote(label)} refused: it has ${block.content.length} characters and would have ${content.length}, allowed are ${policy.limits.contentChars}; write to a new label such as ${quote(`${label}-2`)}`,
    );
  }
  // A splice can cut a surrogate pair in two. The database would change such a text, and its hash would no longer match.
  const broken = checkText("Content", content, policy.limits.contentChars);
  if (broken) return broken;
  // A person who writes a whole text vouches for it, even if it is the present text.
  const written = toProvenance(source);
  const provenance = actor === "person" && op === "write" ? written : leastTrusted(block, written);
  const keepsText = content === block.content;
  const rewrites = op === "write" && !keepsText && !content.startsWith(block.content);
  const validFrom = toValidFrom(proposal) ?? (rewrites ? undefined : block.validFrom);
  const same = keepsText && validFrom === block.validFrom && (actor === "agent" || block.trust === provenance.trust);
  if (same) return { outcome: "keep" };
  const { permission, tier } = block;
  const onlyAdds = permission === "append" && offset === block.content.length && validFrom === block.validFrom;
  const asks =
    permission === "familiar" ||
    (!onlyAdds && (permission === "append" || isOutranked(source, block))) ||
    staysOut(tier, provenance, policy);
  if (actor === "agent" && asks) {
    return { ...QUEUED_WRITE, tier, content, validFrom: validFrom ?? null, ...provenance };
  }
  const is = toState({ ...block, ...provenance, validFrom });
  return { outcome: "apply", change: { kind: "edited", block, is, splice: { offset, before, after } } };
}

function decideMove(
  block: MemoryBlock,
  { newLabel = block.label, tier = block.tier, source: by }: Asked<"move", MoveRequest>,
  actor: MemoryActor["kind"],
  policy: Policy,
): Decision {
  if (newLabel === block.label && tier === block.tier) return { outcome: "keep" };
  const there = tier === block.tier ? "readwrite" : policy.permissions[tier];
  if (actor === "agent" && there === "readonly") {
    return refuse(
      "readonly",
      `Move of ${quote(block.label)} refused: ${tier} blocks are readonly, only a person can make them; leave it in ${block.tier} or ask the person`,
    );
  }
  const { source, trust, permission, content, validFrom = null } = block;
  const asks =
    permission !== "readwrite" || there === "familiar" || isOutranked(by, block) || staysOut(tier, block, policy);
  if (actor === "agent" && asks)
    return { ...QUEUED_WRITE, op: "move", tier, newLabel, content, validFrom, source, trust };
  return { outcome: "apply", change: toMove(block, newLabel, tier, policy) };
}

function decideRemoval(block: MemoryBlock, { source }: Proposal, actor: MemoryActor["kind"]): Decision {
  if (actor === "agent" && (block.permission !== "readwrite" || isOutranked(source, block))) {
    const { tier } = block;
    return { ...QUEUED_WRITE, op: "remove", tier, content: "", validFrom: null, ...toProvenance(source) };
  }
  return { outcome: "apply", change: toRemoval(block) };
}

/** The change that moves a block. In another tier its permission is at most that of a new block there. */
export function toMove(block: MemoryBlock, label: string, tier: Tier, policy: Policy): Change {
  const permission = tier === block.tier ? block.permission : stricter(block.permission, policy.permissions[tier]);
  return { kind: "moved", block, is: { ...toState(block), label, tier, permission }, splice: NO_SPLICE };
}

/** The change that removes a block. */
export function toRemoval(block: MemoryBlock): Change {
  return { kind: "removed", block, is: null, splice: { offset: 0, before: block.content, after: "" } };
}

function staysOut(tier: Tier, { trust }: Provenance, { coreTrust }: Policy): boolean {
  return tier === "core" && isBelow(trust, coreTrust);
}

/** Refuses a proposal that is invalid regardless of permissions; `undefined` when it is valid. */
function checkProposal(block: MemoryBlock | null, proposal: Proposal, limits: MemoryLimits): Refusal | undefined {
  return (
    checkValues(proposal) ??
    checkText("Reason", proposal.reason ?? "", limits.reasonChars) ??
    (proposal.op === "write" ? checkText("Content", proposal.content, limits.contentChars) : undefined) ??
    (proposal.op === "edit" ? checkText("Old text", proposal.before, limits.contentChars) : undefined) ??
    (proposal.op === "edit" ? checkText("Content", proposal.after, limits.contentChars) : undefined) ??
    checkEmpty(block, proposal) ??
    (proposal.op === "write" && block !== null ? checkSame(proposal, block) : undefined)
  );
}

/** The compiler checks these values for TypeScript callers; a manager may have other callers. */
function checkValues(proposal: Proposal): Refusal | undefined {
  const { label, expectVersion } = proposal;
  const tier = proposal.op === "write" || proposal.op === "move" ? proposal.tier : undefined;
  const permission = proposal.op === "write" ? proposal.permission : undefined;
  const wrong = (found: unknown, allowed: string): Refusal =>
    refuse(
      "invalid_value",
      `Write to ${quote(label)} refused: ${toPromptJson(found)} was given, allowed is ${allowed}`,
    );
  if (tier !== undefined && !TIERS.includes(tier)) return wrong(tier, `a tier: ${TIERS.join(", ")}`);
  if (permission !== undefined && !PERMISSIONS.includes(permission))
    return wrong(permission, `a permission: ${PERMISSIONS.join(", ")}`);
  if (proposal.op === "write" && proposal.validFrom !== undefined && toInstant(proposal.validFrom) === undefined)
    return wrong(proposal.validFrom, "a time such as 2026-01-31 or 2026-01-31T12:00:00Z");
  if (expectVersion !== undefined && !(Number.isSafeInteger(expectVersion) && expectVersion >= 0))
    return wrong(expectVersion, "a version: 0, 1, 2, …");
  if (proposal.op === "edit" && !Number.isSafeInteger(proposal.offset)) return wrong(proposal.offset, "an offset");
  return undefined;
}

function checkEmpty(block: MemoryBlock | null, proposal: Proposal): Refusal | undefined {
  const text =
    proposal.op === "write"
      ? proposal.content
      : proposal.op === "edit" && block !== null
        ? (splice(block.content, proposal) ?? "x")
        : "x";
  if (text.trim() !== "") return undefined;
  return refuse(
    "empty",
    `Write to ${quote(proposal.label)} refused: the content is empty, allowed is text; nothing is erased by writing nothing, leave the block as it is or write what should stand there`,
  );
}

function checkSame({ label, tier, permission }: WriteProposal, block: MemoryBlock): Refusal | undefined {
  if (tier !== undefined && tier !== block.tier) {
    return refuse(
      "tier_mismatch",
      `Write to ${quote(label)} refused: it is in tier ${block.tier}, not ${tier}, and writing does not move it; leave tier out to change it where it is, or choose another label`,
    );
  }
  if (permission !== undefined) {
    return refuse(
      "invalid_value",
      `Write to ${quote(label)} refused: it has permission ${block.permission} and writing does not change that; use setPermission`,
    );
  }
  return undefined;
}
