/**
 * What the other packages of this repository share with this one: for our own packages; no promise between minor versions.
 *
 * @packageDocumentation
 */

export type {
  DurableCalls,
  DurableRun,
  DurableCall,
  DurableTool,
  WaitAnswer,
  WaitOptions,
} from "./call/durable-call.ts";
export { nextTurn } from "./call/calls-in-flight.ts";
export { refused } from "./call/approval.ts";
export { DISPATCH_OPTIONS } from "./call/host-options.ts";
export { parseParams, readCall, type CallOf, type SentCall } from "./call/parse-call.ts";
export { createWireNames, MODEL_NAMES, type NameRule, type WireNames } from "./call/wire-names.ts";
export { replaceInvisible } from "./display/invisible.ts";
export { checkOptions, describeUnknown, unknownOption, type OptionNames } from "./error/check-options.ts";
export { closestMatch } from "./error/closest-match.ts";
export { maskSecrets, truncate } from "./error/describe-received.ts";
export { describeThrown, thrownMessage } from "./error/tool-error.ts";
export { canonicalText } from "./json/json.ts";
export { jsonSnapshot } from "./json/json.ts";
export { isJsonObject, jsonOrReason, plainJson, toJsonText } from "./json/json.ts";
export { keptBytes, placesWith, placeValues, textBytes } from "./json/kept-bytes.ts";
export { LossyJsonError, parseJson } from "./json/parse-json.ts";
export { sha256 } from "./json/sha256.ts";
export { truncateJson } from "./json/truncate-json.ts";
export { LOCAL_NETWORKS } from "./local-networks.ts";
export { checkLoaded, foundNames } from "./registry/search-tool.ts";
export { recordAnswered } from "./transcript/call-recording.ts";
export { unknownTool } from "./registry/dispatcher.ts";
export { offeredTools, toolsOf, type OfferedTool, type SourceTool, type ToolSource } from "./registry/tool-source.ts";
export { shownParts, shownText } from "./result/tool-result.ts";
export { readResult } from "./result/tool-result.ts";
export { mapSchemas, pointerTo, resolvePointer } from "./schema/map-schemas.ts";
export { opennessOf } from "./schema/schema-node.ts";
export { compileCheck, compileSchema } from "./schema/schema.ts";
export { generateStubs } from "./stubs/generate-stubs.ts";
export { isNumberedId, hadNoEffects } from "./transcript/recorded-result.ts";
export { argumentsText } from "./transcript/transcript-entry.ts";
export { nextSequence, toPlainEntry } from "./transcript/transcript.ts";
export { callObserver } from "./registry/tool-event.ts";
export { joinSignals, onAbort, unlessAborted } from "./wait/on-abort.ts";
export { Semaphore } from "./wait/semaphore.ts";
export { withTimeout } from "./wait/with-timeout.ts";
