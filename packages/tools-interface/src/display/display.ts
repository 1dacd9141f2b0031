export { cleanText, oneLine } from "./clean-text.ts";
export { describeArguments, describeProgress, describeResult, diffOf, showArguments } from "./describe-call.ts";
