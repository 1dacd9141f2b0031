import { createTranscript, type MemoryTranscript, type TranscriptEntry } from "@dispatch/tools-interface";
import { z } from "zod";
import type { Message } from "../agent/conversation.ts";

/** A conversation that was read to be looked at. It is not checked that its calls and results belong together. */
export interface ReadRecord {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly transcript: MemoryTranscript;
}

const Usage = z.object({ input: z.number(), cached: z.number(), output: z.number() });
const Call = z.object({
  id: z.string().optional(),
  turn: z.string().optional(),
  name: z.string(),
  arguments: z.unknown(),
});
const metadata = z.record(z.string(), z.unknown()).catch({});
const Result = z.union([
  z.object({ success: z.literal(true), output: z.string().optional(), metadata }),
  z.object({ success: z.literal(false), error: z.string().optional(), code: z.string().optional(), metadata }),
]);
const Spoken = z.discriminatedUnion("role", [
  z.object({ role: z.literal("user"), text: z.string() }),
  z.object({
    role: z.literal("assistant"),
    text: z.string(),
    calls: z.array(Call),
    usage: Usage.optional().catch(undefined),
  }),
  z.object({ role: z.literal("tool") }),
]);
/** With what else an entry says, such as what of it was dropped. */
const Entry = z.looseObject({
  callId: z.string(),
  turn: z.string().optional(),
  parentCallId: z.string().optional(),
  sequence: z.number(),
  name: z.string(),
  arguments: z.unknown(),
  result: Result,
  startedAt: z.number(),
  durationMs: z.number(),
});
const Whole = z.object({ model: z.string(), conversation: z.array(Spoken), transcript: z.array(Entry) });
const Line = z.union([
  z.object({ message: Spoken }),
  z.object({ call: Entry }),
  z.object({ version: z.literal(1), model: z.string() }),
  // The notes on omitted parts, and the tokens of summaries: nothing that is shown.
  z.object({ compaction: z.record(z.string(), z.unknown()) }),
  z.object({ spent: Usage }),
]);

/**
 * Reads the output of `--json`, or the file of a saved session. A last line that was not written to its end is left
 * out.
 *
 * @throws {Error} When it is neither. The message is fit to be shown.
 */
export function readRecord(text: string): ReadRecord {
  const whole = parse(text);
  if (whole !== undefined && !isSavedSession(text)) {
    const { model, conversation, transcript } = checked(Whole, whole, "the file");
    return recordOf(model, conversation, transcript);
  }
  const end = text.lastIndexOf("\n") + 1;
  const lines = text.slice(0, end).split("\n").slice(0, -1);
  const read = lines.map((line, at) => checked(Line, parse(line), `line ${at + 1}`));
  const start = read.find((line) => "version" in line);
  if (start === undefined)
    throw new Error("Cannot open the file: it is neither a saved session nor the output of --json");
  return recordOf(
    start.model,
    read.flatMap((line) => ("message" in line ? [line.message] : [])),
    read.flatMap((line) => ("call" in line ? [line.call] : [])),
  );
}

function recordOf(
  model: string,
  messages: readonly z.infer<typeof Spoken>[],
  entries: readonly z.infer<typeof Entry>[],
): ReadRecord {
  return {
    model,
    messages: messages.map((message) =>
      message.role === "tool" ? { role: "tool", results: [] } : (message as Message),
    ),
    transcript: createTranscript(entries as readonly TranscriptEntry[]),
  };
}

function isSavedSession(text: string): boolean {
  return text.startsWith('{"version":1,');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function checked<Shape extends z.ZodType>(shape: Shape, value: unknown, where: string): z.infer<Shape> {
  const { success, data, error } = shape.safeParse(value);
  if (success) return data;
  const path = error.issues[0]?.path.join(".") ?? "";
  throw new Error(`Cannot open the file: ${where} is not as a session writes it${path === "" ? "" : ` at ${path}`}`);
}
