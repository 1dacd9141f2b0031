/**
 * What the other packages of this repository share with this one: for our own packages; no promise between minor versions.
 *
 * @packageDocumentation
 */

export { readCall } from "./call/parse-call.ts";
export { createWireNames } from "./call/wire-names.ts";
export type { NameRule } from "./call/wire-names.ts";
export { replaceInvisible } from "./display/invisible.ts";
export { checkOptions, describeUnknown, unknownOption, type OptionNames } from "./error/check-options.ts";
export { maskSecrets, truncate } from "./error/describe-received.ts";
export { thrownMessage } from "./error/tool-error.ts";
export { canonicalText } from "./json/canonical-text.ts";
export { jsonSnapshot } from "./json/json-snapshot.ts";
export { isJsonObject, jsonOrReason, plainJson, toJsonText } from "./json/json.ts";
export { sha256 } from "./json/sha256.ts";
export { unknownTool } from "./registry/refused-call.ts";
export type { CallOf } from "./registry/tool-event.ts";
export { mapSchemas } from "./schema/map-schemas.ts";
export { compileCheck, compileSchema } from "./schema/schema.ts";
export { generateStubs } from "./stubs/generate-stubs.ts";
export { callObserver } from "./wait/call-observer.ts";
export { joinSignals } from "./wait/join-signals.ts";
export { onAbort, unlessAborted } from "./wait/on-abort.ts";
export { Semaphore } from "./wait/semaphore.ts";
export { withTimeout } from "./wait/with-timeout.ts";
