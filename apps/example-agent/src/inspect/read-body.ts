import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { Refusal } from "./check-request.ts";

/** The longest body that is read, in bytes. */
const LONGEST_BODY = 2_000_000;

/**
 * Reads the JSON that a request brings.
 *
 * @throws {Refusal} When it is too long, no JSON, or not of this shape.
 */
export async function readBody<Shape extends z.ZodType>(
  request: IncomingMessage,
  shape: Shape,
): Promise<z.infer<Shape>> {
  if (request.headers["content-type"] !== "application/json") {
    throw new Refusal(415, "Cannot read the request: allowed is application/json");
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LONGEST_BODY) throw new Refusal(413, `Cannot read the request: allowed are ${LONGEST_BODY} bytes`);
    chunks.push(chunk);
  }
  const { success, data, error } = shape.safeParse(parse(Buffer.concat(chunks).toString("utf8")));
  if (success) return data;
  const [issue] = error.issues;
  throw new Refusal(400, `Cannot read the request: ${issue?.path.join(".") || "it"}: ${issue?.message ?? "wrong"}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, "Cannot read the request: it is not JSON");
  }
}
