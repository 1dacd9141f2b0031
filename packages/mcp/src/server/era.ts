/** Revisions with a handshake are legacy; since 2026-07-28 every request says who asks. */
export type Era = "legacy" | "modern";
