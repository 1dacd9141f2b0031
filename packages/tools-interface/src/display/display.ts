export { cleanText, oneLine } from "./clean-text.ts";
export { describeArguments, describeProgress, describeResult, diffOf, namedArguments } from "./describe-call.ts";
export type { NamedValue } from "./describe-call.ts";
export { showArguments } from "./show-arguments.ts";
