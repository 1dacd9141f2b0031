import { isJsonObject, parseJson } from "@dispatch/tools-interface/internal";
import { GeminiArguments, goesOn, isFurtherPiece } from "./gemini-arguments.ts";
import { fieldOf, objectsIn } from "./read-calls.ts";

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
  let text = new GeminiArguments();
  let written = "";
  /** The call that goes on, and its place. */
  let open: { readonly at: number; part: Part } | undefined;
  for (const part of parts) {
    const called = part["functionCall"];
    if (!isJsonObject(called)) {
      joined.push(part);
      continue;
    }
    if (!isFurtherPiece(called)) {
      [text, written] = [new GeminiArguments(), ""];
      open = goesOn(called) || called["partialArgs"] !== undefined ? { at: joined.length, part } : undefined;
      joined.push(part);
      if (open === undefined) continue;
    }
    if (open === undefined) continue;
    const begun: Part = isJsonObject(open.part["functionCall"]) ? open.part["functionCall"] : {};
    const { partialArgs: _partialArgs, willContinue: _willContinue, ...whole } = { ...begun, ...called };
    written += text.write(called["partialArgs"]);
    const isOver = !goesOn(called) && text.isSound;
    const args = isOver ? { args: whole["args"] ?? valueOrText(written + text.end()) } : { willContinue: true };
    open.part = { ...open.part, ...part, functionCall: { ...whole, ...args } };
    joined[open.at] = open.part;
    if (!goesOn(called)) open = undefined;
  }
  return joined;
}

/** The value of a JSON text. One whose value is not what it says stays text, for the registry to report. */
function valueOrText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
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
