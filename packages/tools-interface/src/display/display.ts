export { cleanText, oneLine } from "./clean-text.ts";
export {
  describeArguments,
  describeProgress,
  describeResult,
  diffOf,
  namedArguments,
  showArguments,
} from "./describe-call.ts";
export type { NamedValue } from "./describe-call.ts";
