import { isJsonObject } from "../json/json.ts";
import type { TranscriptEntry } from "../transcript/transcript-entry.ts";

/**
 * The names of the tools that the searches of a conversation have found, in the order found. A restored conversation
 * passes them to `to…Tools(registry, { loaded })`, so that its model sees the same tools in the same order as before.
 *
 * @param registry The registry that the calls were dispatched through.
 * @param entries The entries of the conversation's transcript, in call order.
 *
 * @example
 * ```ts
 * const transcript = createTranscript(restored);
 * const wire = toAnthropicTools(registry, { loaded: loadedTools(registry, transcript.entries) });
 * ```
 */
export function loadedTools(
  registry: { readonly searchTool: { readonly name: string } | undefined },
  entries: Iterable<Pick<TranscriptEntry, "name" | "result" | "parentCallId">>,
): readonly string[] {
  const loaded = new Set<string>();
  const search = registry.searchTool?.name;
  if (search === undefined) return [];
  for (const entry of entries as Iterable<unknown>)
    if (isJsonObject(entry) && entry["name"] === search && isOfModel(entry))
      for (const found of foundNames(entry["result"])) loaded.add(found);
  return [...loaded];
}

/**
 * Checks the option `loaded` of a host, which may come out of a store.
 *
 * @throws {TypeError} When it is something else than a list of names.
 */
export function checkLoaded(loaded: unknown = []): readonly string[] {
  if (Array.isArray(loaded) && loaded.every((name) => typeof name === "string")) return loaded;
  const found = Array.isArray(loaded)
    ? "a list with something else in it"
    : loaded === null
      ? "null"
      : `of type ${typeof loaded}`;
  throw new TypeError(
    `Cannot load tools: loaded is ${found}, allowed is a list of their names, as loadedTools(registry, entries) answers it`,
  );
}

/** Whether no other call made it. A database answers `null` for missing values. */
function isOfModel({ parentCallId }: { readonly [key: string]: unknown }): boolean {
  return parentCallId === undefined || parentCallId === null;
}

/** The names in the result of one search, which may have been stored; none in a failure or anything else. */
export function foundNames(result: unknown): readonly string[] {
  const { success, data } = isJsonObject(result) ? result : {};
  const tools = success === true && isJsonObject(data) ? data["tools"] : undefined;
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => (isJsonObject(tool) && typeof tool["name"] === "string" ? tool["name"] : []));
}
