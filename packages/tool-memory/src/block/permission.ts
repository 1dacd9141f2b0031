import type { Tier } from "./tier.ts";

/** Every permission, from least to most freedom for the agent. */
export const PERMISSIONS = ["readonly", "familiar", "append", "readwrite"] as const;

/**
 * What the agent may do with a block. A person may do everything with every block.
 *
 * - `readonly`: nothing.
 * - `familiar`: propose; a person, the agent's familiar, approves or rejects.
 * - `append`: add to the end, on a line of its own; propose everything else.
 * - `readwrite`: replace the text, remove the block, move it to another label, or to a tier it could be created in.
 */
export type Permission = (typeof PERMISSIONS)[number];

/** The permission a new block gets, by tier. With `familiar`, creating the block is itself left to a person. */
export type TierPermissions = { readonly [T in Tier]: Permission };

/** Core is for a person to decide, working is the agent's own, archival only grows. */
export const DEFAULT_PERMISSIONS: TierPermissions = Object.freeze({
  core: "familiar",
  working: "readwrite",
  archival: "append",
});

/** The one of two permissions that gives the agent less freedom. */
export function stricter(a: Permission, b: Permission): Permission {
  return PERMISSIONS.indexOf(a) < PERMISSIONS.indexOf(b) ? a : b;
}
