import process from "node:process";
import type { JSONRPCMessage, Server, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Era } from "./caller.ts";
import { LineTransport } from "./line-transport.ts";
import { cancelledRequest, IN_USE, OpenRequests } from "./open-requests.ts";
import { unreadable } from "./read-message.ts";

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
  const transport = answeringOnce(
    given ?? new LineTransport({ input: process.stdin, output: process.stdout, maxMessageBytes }),
  );
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

/** A transport that refuses a request whose id is in use. */
function answeringOnce(transport: Transport): Transport {
  const open = new OpenRequests();
  const checked: Transport = {
    start() {
      transport.onmessage = (message, extra) => {
        // A cancelled request is not answered.
        open.end(cancelledRequest(message));
        if (open.take(message)) checked.onmessage?.(message, extra);
        else transport.send(unreadable(IN_USE) as JSONRPCMessage).catch(() => {});
      };
      transport.onerror = (error) => checked.onerror?.(error);
      transport.onclose = () => checked.onclose?.();
      return transport.start();
    },
    send(message, options) {
      if (!("method" in message)) open.end(message);
      return transport.send(message, options);
    },
    close: () => transport.close(),
  };
  return checked;
}
