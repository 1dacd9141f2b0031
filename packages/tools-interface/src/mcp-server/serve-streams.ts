import process from "node:process";
import type { Readable } from "node:stream";
import type { Server, Transport } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Era } from "./connection.ts";
import { createLineLimiter, type LongMessage } from "./long-messages.ts";

/** How one client is served. */
export interface StreamServing {
  /** `undefined`: stdin and stdout. */
  readonly transport: Transport | undefined;
  readonly createServer: (era: Era) => Server;
  readonly maxMessageBytes: number;
  readonly onError: (error: Error) => void;
}

/** One client that is served. */
export interface StreamListener {
  /** Resolves when the client has gone, or after `close`. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Invalid request, of JSON-RPC. */
const INVALID_REQUEST = -32_600;
/** For the fields that the SDK adds to a message that it reads. */
const READ_BUFFER_BYTES = 1024;

/** Serves the client at the other end of stdin and stdout, or of a transport. */
export function serveStreams({
  transport: given,
  createServer,
  maxMessageBytes,
  onError,
}: StreamServing): StreamListener {
  const transport = given ?? createStdioTransport(maxMessageBytes, onError);
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => (close = resolve));
  const handle = serveStdio(({ era }) => createServer(era), { transport, onerror: onError });
  const { onclose } = transport;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no event target
  transport.onclose = () => {
    onclose?.();
    close();
  };
  if (given === undefined) {
    for (const event of ["end", "close", "error"]) process.stdin.once(event, close);
    process.stdout.once("error", close);
  }
  const end = async (): Promise<void> => {
    await handle.close();
    if (given === undefined) process.stdin.destroy();
    close();
  };
  void closed.then(end);
  return { closed, close: end };
}

function createStdioTransport(maxMessageBytes: number, onError: (error: Error) => void): StdioServerTransport {
  const answerLong = ({ id, bytes }: LongMessage): void => {
    onError(new Error(`A message of ${bytes} bytes was left out: allowed are ${maxMessageBytes}`));
    const message = `Cannot read the request: it has ${bytes} bytes, allowed are ${maxMessageBytes}`;
    const response = { jsonrpc: "2.0", id: id ?? null, error: { code: INVALID_REQUEST, message } };
    process.stdout.write(`${JSON.stringify(response)}\n`);
  };
  const limited: Readable = process.stdin.pipe(createLineLimiter(maxMessageBytes, answerLong));
  return new StdioServerTransport(limited, process.stdout, { maxBufferSize: maxMessageBytes + READ_BUFFER_BYTES });
}
