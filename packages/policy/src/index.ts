export type { PolicyTool } from "./compile-rule.ts";
export { createPolicy } from "./create-policy.ts";
export type { Policy, PolicyOptions, PolicyReport } from "./create-policy.ts";
export type { CallFacts } from "./rule-language.ts";
export { PolicyError } from "./policy-rule.ts";
export type { PolicyRule } from "./policy-rule.ts";
export { createStandingGrants } from "./standing-grants.ts";
export type { GrantTerms, StandingGrant, StandingGrants, StandingGrantsOptions } from "./standing-grants.ts";
