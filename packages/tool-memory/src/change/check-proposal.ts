import { quote } from "../block/label.ts";
import type { MemoryBlock } from "../block/memory-block.ts";
import type { MemoryLimits } from "../block/memory-limits.ts";
import { PERMISSIONS } from "../block/permission.ts";
import type { Proposal } from "../block/proposal.ts";
import { TIERS } from "../block/tier.ts";
import { checkText } from "../text/check-text.ts";
import { toPromptJson } from "../text/prompt-json.ts";
import { refuse, type Refusal } from "../text/refusal.ts";
import { toInstant } from "../text/to-instant.ts";

/** Refuses a proposal that is invalid regardless of permissions; `undefined` when it is valid. */
export function checkProposal(
  block: MemoryBlock | null,
  proposal: Proposal,
  limits: MemoryLimits,
): Refusal | undefined {
  const { label } = proposal;
  return (
    checkValues(proposal) ??
    checkText("Reason", proposal.reason ?? "", limits.reasonChars) ??
    (proposal.op === "write" ? checkText("Content", proposal.content, limits.contentChars) : undefined) ??
    (proposal.op === "edit" ? checkText("Old text", proposal.before, limits.contentChars) : undefined) ??
    (proposal.op === "edit" ? checkText("Content", proposal.after, limits.contentChars) : undefined) ??
    checkEmpty(block, proposal) ??
    (proposal.op === "write" && block !== null ? checkSame(label, proposal, block) : undefined)
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
        ? block.content.slice(0, proposal.offset) +
          proposal.after +
          block.content.slice(proposal.offset + proposal.before.length)
        : "x";
  if (text.trim() !== "") return undefined;
  return refuse(
    "empty",
    `Write to ${quote(proposal.label)} refused: the content is empty, allowed is text; nothing is erased by writing nothing, leave the block as it is or write what should stand there`,
  );
}

function checkSame(
  label: string,
  { tier, permission }: Extract<Proposal, { op: "write" }>,
  block: MemoryBlock,
): Refusal | undefined {
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
