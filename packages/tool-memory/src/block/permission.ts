import type { Tier } from "./tier.ts";

/** Every permission, from least to most freedom for the agent. */
export const PERMISSIONS = ["readonly", "familiar", "append", "readwrite"] as const;

/**
 * How the agent may change a block. A person may change every block.
 *
 * - `readonly`: the agent may change nothing.
 * - `familiar`: every change requires a person's approval. The agent proposes; a person, called the agent's familiar,
 *   approves or rejects.
 * - `append`: the agent may add a line at the end. Every other change requires a person's approval.
 * - `readwrite`: the agent may replace the text, remove the block, and move it to another label or to a tier in which the
 *   agent may create blocks.
 *
 * Texts of a source below `agent` never change, move or remove a more trusted text without approval, except for additions to
 * a block with `append`.
 */
export type Permission = (typeof PERMISSIONS)[number];

/** The permission of new blocks by tier. With `familiar`, creating a block requires approval as well. */
export type TierPermissions = { readonly [T in Tier]: Permission };

/** Core requires a person's approval, working is the agent's own, archival is append-only. */
export const DEFAULT_PERMISSIONS: TierPermissions = Object.freeze({
  core: "familiar",
  working: "readwrite",
  archival: "append",
});

/** The stricter of two permissions. */
export function stricter(a: Permission, b: Permission): Permission {
  return PERMISSIONS.indexOf(a) < PERMISSIONS.indexOf(b) ? a : b;
}
