/**
 * What the other packages of this repository share with this one: for our own packages; no promise between minor versions.
 *
 * @packageDocumentation
 */

export { maskSecrets, truncate } from "./error/describe-received.ts";
export { toJsonText } from "./json/json.ts";
export type { CallOf } from "./registry/tool-event.ts";
export { unlessAborted } from "./wait/on-abort.ts";
