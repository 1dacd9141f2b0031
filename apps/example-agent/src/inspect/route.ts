import type { IncomingMessage } from "node:http";
import type { Inspected } from "./inspected.ts";

/** The request of a route. */
export interface Asked {
  readonly request: IncomingMessage;
  readonly inspected: Inspected;
  /** The part of the address where the route has a `:`. */
  readonly named: string;
  /** The part of the address behind the question mark. */
  readonly query: URLSearchParams;
}

/** Returns the body to send as JSON; `undefined` for nothing. Throws a `RequestError` for requests it refuses. */
export type Route = (asked: Asked) => unknown;
