export { attackCases } from "./attack-cases.ts";
export type { AttackCase, AttackRunOptions } from "./attack-case.ts";
export { NotOfferedError } from "./attack-subject.ts";
export type { AttackRuntimeOptions, AttackSubject } from "./attack-subject.ts";
export { plantSecrets } from "./planted-secrets.ts";
export type { PlantedSecrets } from "./planted-secrets.ts";
export { denoSubject } from "./deno-subject.ts";
