import process from "node:process";
import type { Server, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Era } from "./caller.ts";
import { LineTransport } from "./line-transport.ts";

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

/** Serves the client at the other end of stdin and stdout, or of a transport. */
export function serveStreams({
  transport: given,
  createServer,
  maxMessageBytes,
  onError,
}: StreamServing): StreamListener {
  const transport = given ?? new LineTransport({ input: process.stdin, output: process.stdout, maxMessageBytes });
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
