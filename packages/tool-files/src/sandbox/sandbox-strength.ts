/**
 * How sure it is that nothing outside the worktree is touched. `kernel`: also while another process exchanges
 * directories with links. `verified`: checked before and after, with a moment between the check and the act.
 */
export type SandboxStrength = "kernel" | "verified";
