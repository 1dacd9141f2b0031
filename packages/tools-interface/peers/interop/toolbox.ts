import { createToolRegistry, defineTool, success } from "@dispatch/tools-interface";
import type { MemoryTranscript, ToolObserver } from "@dispatch/tools-interface";
import { z } from "zod";

/** The smallest PNG there is: one transparent pixel. */
export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const WORLD = "world";

const weather = defineTool({
  name: "weather.get",
  description: "The weather in a city.",
  parameters: z.object({ city: z.string().describe("City"), unit: z.enum(["C", "F"]).optional().describe("Unit") }),
  output: z.object({ degrees: z.number() }),
  annotations: { readOnly: true, openWorld: true },
  resource: () => WORLD,
  execute: ({ city, unit = "C" }) => success(`${city}: 15 °${unit}`, { data: { degrees: 15 } }),
});
const screenshot = defineTool({
  name: "screenshot",
  description: "Takes a picture of the screen.",
  parameters: z.object({}),
  annotations: { readOnly: true },
  resource: () => WORLD,
  execute: () =>
    success("taken", {
      content: [
        { type: "text", text: "the screen" },
        { type: "image", data: PIXEL, mimeType: "image/png" },
      ],
      metadata: { host: "SECRET" },
    }),
});
const wait = defineTool({
  name: "wait",
  description: "Waits until it is told to stop.",
  parameters: z.object({}),
  // After the calls before it: its progress cancels all that still run.
  resource: () => WORLD,
  execute: (_, run) =>
    new Promise<string>((_resolve, reject) => {
      run.signal.addEventListener("abort", () => reject(new Error("told to stop")), { once: true });
      run.progress({ message: "waiting", done: 1, total: 2 });
    }),
});
const deleteFile = defineTool({
  name: "delete_file",
  description: "Deletes a file.",
  parameters: z.object({ path: z.string().describe("Path") }),
  annotations: { destructive: true },
  needsApproval: true,
  execute: ({ path }) => `${path} is deleted`,
});

/** A new registry with the tools that every package here is driven with: one with a dot, one with an image, one that waits, one that asks. */
export function createToolbox() {
  return createToolRegistry().register([weather, screenshot, wait, deleteFile]);
}

/** A transcript's entries in short: the call's id, the tool, and `ok`, `repaired` or the code of the failure. */
export function recorded({ entries }: MemoryTranscript): readonly (readonly [string, string, string])[] {
  return entries.map(({ callId, name, result }) => {
    const fine = (result.repairs ?? []).length > 0 ? "repaired" : "ok";
    return [callId, name, result.success ? fine : String(result.code)];
  });
}

/** Options that cancel all calls as soon as the call of `wait` reports progress. */
export function cancelAtProgress(): { readonly signal: AbortSignal; readonly onEvent: ToolObserver } {
  const abort = new AbortController();
  const onEvent: ToolObserver = ({ type }) => {
    if (type === "call-progress") abort.abort();
  };
  return { signal: abort.signal, onEvent };
}

/** The registry's answer to a model that calls `weather.get` with `{ "town": "Oslo" }`. */
export const REFUSED = /^Cannot call weather\.get with these parameters:[^]*city: /;
