import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Limits the connections of a server so that strangers keep nobody out: where there are too many, the oldest connection that has not borne the
 * token is closed, and the new one only if all others have.
 *
 * @returns Marks a connection as one that has borne the token.
 */
export function limitConnections(http: Server, count: number): (socket: Socket) => void {
  const open = new Set<Socket>();
  const strangers = new Set<Socket>();
  http.on("connection", (socket: Socket) => {
    open.add(socket);
    strangers.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      strangers.delete(socket);
    });
    if (open.size <= count) return;
    const [oldest = socket] = strangers;
    // Counted as gone at once: its `close` comes later.
    open.delete(oldest);
    strangers.delete(oldest);
    oldest.destroy();
  });
  return (socket) => void strangers.delete(socket);
}
