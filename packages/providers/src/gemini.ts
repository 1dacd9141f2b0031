import type { JsonSchema, MediaPart, ModelTurns, ToolCall, ToolResult } from "@dispatch/tools-interface";
import {
  MODEL_NAMES,
  type NameRule,
  type SourceTool,
  type ToolSource,
  checkOptions,
  isJsonObject,
} from "@dispatch/tools-interface/internal";
import { at, collectChanges } from "./wire/format-report.ts";
import {
  type AnswerEnds,
  endOfAnswer,
  fieldOf,
  markCutOff,
  objectsIn,
  readWireCall,
  sumOf,
} from "./wire/read-calls.ts";
import { PDF, answeredCalls, textWithFollowers } from "./wire/result-parts.ts";
import { toRootObject } from "./wire/root-object.ts";
import {
  type LoadOptions,
  type PreparedSchema,
  type WireTools,
  createWireTools,
  loadFound,
} from "./wire/wire-tools.ts";
export type { FormatChange, FormatChangeKind, ToolReport } from "./wire/format-report.ts";
export type { DeferredTools, LoadOptions, WireTools } from "./wire/wire-tools.ts";
export type { SourceTool, ToolSource, WireNames } from "@dispatch/tools-interface/internal";

/** One tool. */
export interface GeminiFunctionDeclaration {
  /** Up to 64 letters, digits, `_` and `-`, beginning with a letter or `_`. */
  name: string;
  /** Describes the tool to a model. */
  description: string;
  /** JSON Schema of the arguments. Absent for a tool without parameters. */
  parametersJsonSchema?: { [keyword: string]: unknown };
}

/** Tools as the API takes them. */
export interface GeminiTool {
  /** All tools of the registry. */
  functionDeclarations: GeminiFunctionDeclaration[];
}

/** One piece of an answer. */
export type GeminiResultPart =
  | {
      functionResponse: { id?: string; name: string; response: { output: string } | { error: string } };
    }
  | { text: string }
  | { inlineData: { mimeType: string; data: string } };

/** The content with all results of a turn. */
export interface GeminiResultContent {
  /** Results come from the user's side. */
  role: "user";
  /** One function response a call, in the order of the calls, and after them images, files and recordings, each after its label. */
  parts: GeminiResultPart[];
}

const NAMES: NameRule = { ...MODEL_NAMES, start: /[A-Za-z_]/ };
const SUPPORTED_IMAGES = new Set(["image/jpeg", "image/png", "image/webp", "image/heic", "image/heif"]);
const SUPPORTED_AUDIO = new Set(["wav", "mp3", "mpeg", "aiff", "aac", "ogg", "flac"].map((kind) => `audio/${kind}`));

/**
 * Tools for the Gemini API. `tools` is empty when there are none: the API refuses an empty list of declarations.
 *
 * @throws {ToolError} Code `duplicate_tool` when two of a list have one name.
 *
 * @example
 * ```ts
 * const wire = toGeminiTools(registry);
 * const response = await client.models.generateContent({ model, contents, config: { tools: wire.tools } });
 * const calls = fromGeminiResponse(response, wire);
 * const results = await registry.dispatchAll(calls, { context });
 * contents.push(response.candidates[0].content, toGeminiResults(calls, results, wire));
 * ```
 */
export function toGeminiTools(source: ToolSource, options: LoadOptions = {}): WireTools<GeminiTool> {
  checkOptions("make tools for Gemini", options, { loaded: true });
  const {
    tools: functionDeclarations,
    deferred,
    ...wire
  } = createWireTools(
    source,
    NAMES,
    prepare,
    ({ tool: { description }, wireName, schema }): GeminiFunctionDeclaration => {
      return { name: wireName, description, ...(takesFields(schema) && { parametersJsonSchema: { ...schema } }) };
    },
    options,
  );
  return {
    ...wire,
    tools: functionDeclarations.length === 0 ? [] : [{ functionDeclarations }],
    ...(deferred && {
      deferred: {
        searchTool: deferred.searchTool,
        load: (names) => [{ functionDeclarations: [...deferred.load(names)] }],
        get found() {
          return deferred.found;
        },
      },
    }),
  };
}

function prepare({ parameters }: SourceTool): PreparedSchema {
  const { changes, note } = collectChanges();
  const schema = toRootObject(parameters, note);
  if (!takesFields(schema)) {
    for (const keyword of Object.keys(schema).filter((one) => !SAID_BY_NOTHING.has(one)))
      note(at("#", keyword), keyword, "dropped", "a tool without parameters goes out without a schema");
  }
  return { schema, plans: [], strict: false, changes };
}

/** Keywords that a declaration without a schema implies anyway. */
const SAID_BY_NOTHING = new Set(["type", "properties", "required", "additionalProperties"]);

/** Whether there is anything that a model could send, whose fields have names or at least a schema. */
function takesFields({ properties, additionalProperties }: JsonSchema): boolean {
  const isNonEmpty = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length > 0;
  return isNonEmpty(properties) || isNonEmpty(additionalProperties);
}

const COMPLETE: ReadonlySet<string> = new Set(["stop", "finish_reason_unspecified"]);

/**
 * The calls in a response of the Gemini API, in order; none for anything that is no such response. Of several
 * candidates the first is read. A last call in which the answer was cut off (`MAX_TOKENS`, `SAFETY` and the like) is
 * marked `cutOff` and will not be executed; so is that of a chunk of a stream, which does not say how the answer ends.
 * Most models give their calls no ids: results then belong to them by their order.
 *
 * @param response - A response, the result of `collectGeminiStream`, or the content of a candidate.
 * @param wire - The result of `toGeminiTools`: gives the tools their own names back, and the arguments their own shape.
 *
 * @example
 * ```ts
 * const response = await client.models.generateContent({ model, contents, config: { tools: wire.tools } });
 * const calls = fromGeminiResponse(response, wire);
 * ```
 */
export function fromGeminiResponse(response: unknown, wire?: WireTools): ToolCall[] {
  const [candidate] = objectsIn(fieldOf(response, "candidates"));
  const content = candidate === undefined ? response : candidate["content"];
  const turn = fieldOf(response, "responseId");
  const parts = objectsIn(fieldOf(content, "parts"));
  const calls = parts.flatMap(({ functionCall: called }) => {
    if (!isJsonObject(called)) return [];
    const call = readWireCall({ id: called["id"], turn, name: called["name"], params: called["args"] ?? {} }, wire);
    // A piece of a call whose arguments are streamed.
    return markCutOff([call], called["willContinue"] === true ? null : undefined, COMPLETE);
  });
  const last = parts.findLast(({ text }) => text !== "");
  return markCutOff(calls, reasonOf(candidate), COMPLETE, isJsonObject(last?.["functionCall"]));
}

/** Why an answer ended. Without a reason the model has not stopped: the candidate is a chunk of a stream. */
function reasonOf(candidate: { readonly [key: string]: unknown } | undefined): unknown {
  return candidate === undefined ? undefined : (candidate["finishReason"] ?? null);
}

const ENDS: AnswerEnds = { complete: COMPLETE, length: new Set(["max_tokens"]) };

/**
 * The adapter of the Gemini API for `runTools`: reads each response, and appends its content and the results of its
 * calls.
 *
 * @param contents - The conversation. It is appended to.
 * @param wire - The result of `toGeminiTools`.
 *
 * @example
 * ```ts
 * const { end } = await runTools(registry, {
 *   ...geminiTurns(contents, wire),
 *   ask: () => client.models.generateContent({ model, contents, config: { tools: wire.tools } }),
 * });
 * ```
 */
export function geminiTurns(contents: unknown[], wire: WireTools): ModelTurns {
  return {
    read(response) {
      const [candidate] = objectsIn(fieldOf(response, "candidates"));
      const blocked = fieldOf(fieldOf(response, "promptFeedback"), "blockReason");
      return {
        calls: fromGeminiResponse(response, wire),
        ...endOfAnswer(candidate === undefined ? (blocked ?? null) : reasonOf(candidate), ENDS),
        tokens: sumOf(fieldOf(fieldOf(response, "usageMetadata"), "totalTokenCount")),
      };
    },
    add(response, calls, results) {
      const content = objectsIn(fieldOf(response, "candidates"))[0]?.["content"];
      if (objectsIn(fieldOf(content, "parts")).length > 0) contents.push(content);
      if (calls.length > 0) contents.push(toGeminiResults(calls, results, wire));
    },
  };
}

/**
 * The content that answers the calls of a turn. Append it after the model's content, which must be kept whole with its
 * thought signatures. A result's metadata, data and repairs are never in it.
 *
 * @param wire - The result of `toGeminiTools`: a response bears the name that the provider knows, and the tools that a
 * search has found are appended to its declarations.
 * @throws {ToolError} Code `results_mismatch` when there is not one result a call.
 *
 * @example
 * ```ts
 * const results = await registry.dispatchAll(calls, { context });
 * contents.push(toGeminiResults(calls, results, wire));
 * ```
 */
export function toGeminiResults(
  calls: readonly ToolCall[],
  results: readonly ToolResult[],
  wire?: Pick<WireTools, "names" | "deferred">,
): GeminiResultContent {
  const media: GeminiResultPart[] = [];
  const responses = answeredCalls("Gemini", calls, results).map(({ call, index, result }): GeminiResultPart => {
    loadFound({ call, result }, wire);
    const text = textWithFollowers(result, `call ${index + 1} (${call.name})`, (part, label) => {
      if (!isShown(part)) return false;
      media.push({ text: label }, { inlineData: { mimeType: part.mimeType, data: part.data } });
      return true;
    });
    return {
      functionResponse: {
        ...(call.id !== undefined && { id: call.id }),
        name: wire?.names.toWire(call.name) ?? call.name,
        response: result.success ? { output: text } : { error: text },
      },
    };
  });
  return { role: "user", parts: [...responses, ...media] };
}

function isShown({ type, mimeType }: MediaPart): boolean {
  if (type === "image") return SUPPORTED_IMAGES.has(mimeType);
  return type === "file" ? mimeType === PDF : SUPPORTED_AUDIO.has(mimeType);
}

/** A whole answer of the Gemini API, put together from a stream. */
export interface GeminiAnswer {
  /** The answer, as the only candidate. None where the stream had none. */
  candidates: { readonly [field: string]: unknown }[];
  /** Other fields of the last chunks: the id, the tokens used, why a prompt was blocked. */
  readonly [field: string]: unknown;
}

type Part = { readonly [key: string]: unknown };

/**
 * Joins the chunks of a streamed answer, which the SDK does not do: only the last chunk says how the answer ended, and
 * a call whose arguments are streamed (`streamFunctionCallArguments`) comes in many. Of several candidates the first is
 * read.
 *
 * @param chunks - The result of `generateContentStream`.
 * @param onChunk - Called with each chunk as it comes, and awaited: to show its text, or its `geminiDeltas`.
 * @returns The argument of `fromGeminiResponse`, `geminiTurns` and the next request. Rejects if the stream does.
 *
 * @example
 * ```ts
 * const ask = async (abortSignal: AbortSignal) =>
 *   collectGeminiStream(await client.models.generateContentStream({ model, contents, config: { tools: wire.tools, abortSignal } }));
 * ```
 */
export async function collectGeminiStream<Chunk>(
  chunks: AsyncIterable<Chunk>,
  onChunk?: (chunk: Chunk) => unknown,
): Promise<GeminiAnswer> {
  const answer: [string, unknown][] = [];
  const candidate: [string, unknown][] = [];
  const parts: Part[] = [];
  let isBegun = false;
  for await (const chunk of chunks) {
    await onChunk?.(chunk);
    answer.push(...said(chunk));
    const [first] = objectsIn(fieldOf(chunk, "candidates"));
    if (first === undefined) continue;
    isBegun = true;
    candidate.push(...said(first));
    parts.push(...objectsIn(fieldOf(first["content"], "parts")));
  }
  const content = { role: "model", parts: joinTexts(joinCalls(parts)) };
  const candidates = isBegun ? [{ ...Object.fromEntries(candidate), content }] : [];
  return { ...Object.fromEntries(answer), candidates };
}

/** The fields of a chunk or a candidate that it has. The SDK's chunks are objects of a class. */
function said(of: unknown): [string, unknown][] {
  return Object.entries(typeof of === "object" && of !== null ? of : {}).filter(([, value]) => value !== undefined);
}

/** Each call in one part. One that breaks off keeps `willContinue`, so that it is not executed. */
function joinCalls(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  /** The call that goes on, and its place. */
  let open: { readonly at: number; readonly streamed: GeminiArguments; part: Part } | undefined;
  for (const part of parts) {
    const called = part["functionCall"];
    const isFurther = isJsonObject(called) && called["name"] === undefined;
    if (!isFurther) {
      if (isJsonObject(called)) {
        const isStreamed = goesOn(called) || called["partialArgs"] !== undefined;
        open = isStreamed ? { at: joined.length, streamed: new GeminiArguments(), part } : undefined;
      }
      joined.push(part);
    }
    if (open === undefined || !isJsonObject(called)) continue;
    const begun: Part = isJsonObject(open.part["functionCall"]) ? open.part["functionCall"] : {};
    const { partialArgs, willContinue: _willContinue, ...whole } = { ...begun, ...called };
    const { streamed } = open;
    streamed.add(called["partialArgs"]);
    const isOver = !goesOn(called) && streamed.isSound;
    const args = isOver ? { args: whole["args"] ?? streamed.value } : { willContinue: true };
    open.part = { ...open.part, ...part, functionCall: { ...whole, ...args } };
    joined[open.at] = open.part;
    if (!goesOn(called)) open = undefined;
  }
  return joined;
}

/** Pieces of one text as one. A part with anything else, such as a signature, stays as it came. */
function joinTexts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (isPlainText(part) && part["text"] === "") continue;
    if (last !== undefined && isPlainText(last) && isPlainText(part) && last["thought"] === part["thought"]) {
      joined[joined.length - 1] = { ...last, text: `${String(last["text"])}${String(part["text"])}` };
    } else joined.push(part);
  }
  return joined;
}

function isPlainText(part: Part): boolean {
  return (
    typeof part["text"] === "string" &&
    Object.entries(part).every(([key, value]) => key === "text" || key === "thought" || value === undefined)
  );
}

/** One step of a path: the name of a field, or the place in an array. */
type Step = string | number;

/** More than tools have. A model must not be able to make a value that nothing can walk. */
const MAX_DEPTH = 64;

/** Puts the arguments of one call together that are streamed by paths and values (`partialArgs`). */
class GeminiArguments {
  /** The arguments until now. */
  readonly value: Record<Step, unknown> = {};
  /** The places that are there. */
  readonly #written = new Set<string>();
  /** The containers of the last place. Others are complete. */
  #open: readonly string[] = [];
  /** The place of the string that goes on. */
  #string: string | undefined;
  /** Whether every piece until now had a place, and none had two. */
  isSound = true;

  /** Takes in the next pieces. */
  add(partialArgs: unknown): void {
    for (const piece of objectsIn(partialArgs)) this.isSound &&= this.#add(piece);
  }

  #add({ jsonPath, willContinue, ...given }: Part): boolean {
    const { path, isEmptyArray } = stepsOf(jsonPath) ?? {};
    if (path === undefined) return false;
    const place = JSON.stringify(path);
    const value = valueOf(given);
    const last = path.at(-1) as Step;
    const goesOnHere = this.#string === place;
    if (goesOnHere) {
      const holder = this.#holder(path);
      if (holder !== undefined && typeof value === "string") holder[last] = `${String(holder[last])}${value}`;
    } else {
      // The begin of a container says nothing that its fields do not say, nor does the end of one.
      if (value === undefined && (willContinue === true || this.#written.has(place))) return true;
      const holder = this.#holder(path);
      if (holder === undefined || !this.#take(holder, last, place)) return false;
      holder[last] = value === undefined ? (isEmptyArray ? [] : {}) : value;
    }
    this.#string = willContinue === true && (goesOnHere || typeof value === "string") ? place : undefined;
    return true;
  }

  /** The container of a place, made with those around it where they are not there. */
  #holder(path: readonly Step[]): Record<Step, unknown> | undefined {
    let holder = this.value;
    const around = path.slice(0, -1).map((_, index) => JSON.stringify(path.slice(0, index + 1)));
    for (const [index, place] of around.entries()) {
      const step = path[index] as Step;
      if (!this.#open.includes(place)) {
        if (!this.#take(holder, step, place)) return undefined;
        holder[step] = typeof path[index + 1] === "number" ? [] : {};
      }
      holder = holder[step] as Record<Step, unknown>;
    }
    this.#open = around;
    return holder;
  }

  /** Whether a new value may stand at a place: the next of an array, or a field that is not there. */
  #take(holder: object, step: Step, place: string): boolean {
    const isNext = Array.isArray(holder) ? step === holder.length : typeof step === "string" && step !== "__proto__";
    const isFree = isNext && !this.#written.has(place);
    this.#written.add(place);
    return isFree;
  }
}

function valueOf(given: Part): unknown {
  const key = ["stringValue", "numberValue", "boolValue"].find((one) => given[one] !== undefined);
  return key === undefined ? (given["nullValue"] === undefined ? undefined : null) : given[key];
}

const STEP = /\.(?<name>[^.[\]]+)|\[(?<index>\d{1,9})\]|\[(?<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\]/gy;

/** The steps of a path such as `$.lines[0]['unit price']`; a last `[]` stands for an array without items. */
function stepsOf(jsonPath: unknown): { readonly path: readonly Step[]; readonly isEmptyArray: boolean } | undefined {
  if (typeof jsonPath !== "string") return undefined;
  const isEmptyArray = jsonPath.endsWith("[]");
  const text = jsonPath.slice(1, isEmptyArray ? -2 : undefined);
  const found = [...text.matchAll(STEP)];
  const isWhole = jsonPath.startsWith("$") && found.map(([step]) => step).join("") === text;
  if (!isWhole || found.length === 0 || found.length > MAX_DEPTH) return undefined;
  const path = found.map(({ groups = {} }): Step => {
    const { name, index, quoted = "" } = groups;
    return name ?? (index === undefined ? unquote(quoted) : Number(index));
  });
  return { path, isEmptyArray };
}

function unquote(quoted: string): string {
  return quoted.slice(1, -1).replaceAll(/\\(?:u(?<code>[\dA-Fa-f]{4})|(?<one>.))/gs, (_all, ...rest) => {
    const { code, one } = rest.at(-1) as { code?: string; one?: string };
    return code === undefined ? (ESCAPES[one ?? ""] ?? one ?? "") : String.fromCharCode(Number.parseInt(code, 16));
  });
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Whether a call's next piece is still to come. */
function goesOn(functionCall: { readonly [key: string]: unknown }): boolean {
  const pieces = objectsIn(functionCall["partialArgs"]);
  return functionCall["willContinue"] === true || pieces.some((piece) => piece["willContinue"] === true);
}
