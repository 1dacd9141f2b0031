import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { RequestError } from "./check-request.ts";

/** The longest body that is read unless the route says otherwise, in bytes. */
const MAX_BODY = 2_000_000;
/** Bytes of a too long body that are taken without being kept: a browser reads no answer before it has sent everything. */
const MAX_TAKEN = 64_000_000;

/**
 * Reads the JSON that a request brings.
 *
 * @throws {RequestError} When it is too long, no JSON, or not of this shape.
 */
export async function readBody<Shape extends z.ZodType>(
  request: IncomingMessage,
  shape: Shape,
  maxBytes = MAX_BODY,
): Promise<z.infer<Shape>> {
  if (request.headers["content-type"] !== "application/json") {
    throw new RequestError(415, "Cannot read the request: allowed is application/json");
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else if (size > Math.max(maxBytes, MAX_TAKEN)) break;
  }
  if (size > maxBytes) throw new RequestError(413, `Cannot read the request: allowed are ${maxBytes} bytes`);
  const { success, data, error } = shape.safeParse(parse(Buffer.concat(chunks).toString("utf8")));
  if (success) return data;
  const [issue] = error.issues;
  throw new RequestError(
    400,
    `Cannot read the request: ${issue?.path.join(".") || "it"}: ${issue?.message ?? "wrong"}`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError(400, "Cannot read the request: it is not JSON");
  }
}
