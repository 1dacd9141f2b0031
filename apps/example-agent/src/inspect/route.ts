import type { IncomingMessage } from "node:http";
import type { Inspected } from "./inspected.ts";

/** What a route is given. */
export interface Asked {
  readonly request: IncomingMessage;
  readonly inspected: Inspected;
  /** What stands in the address where the route has a `:`. */
  readonly named: string;
  /** What stands in the address behind the question mark. */
  readonly query: URLSearchParams;
}

/** Answers with what is sent as JSON; `undefined` for nothing. Throws a `RequestError` for what it does not do. */
export type Route = (asked: Asked) => unknown;
