import { isJsonObject } from "@dispatch/tools-interface/internal";

/** The requests of one client that have no answer yet. The protocol allows no second one with the id of one of them. */
export class OpenRequests {
  static readonly WHY = "another request with this id is being answered";
  readonly #ids = new Set<unknown>();

  /** Takes a message of the client. False: it is a request whose id is in use. */
  take(message: unknown): boolean {
    const { id, method, params } = isJsonObject(message) ? message : {};
    // A cancelled request is not answered.
    if (method === "notifications/cancelled" && isJsonObject(params)) this.#ids.delete(params["requestId"]);
    if (method === undefined || id === undefined) return true;
    return this.#ids.size < this.#ids.add(id).size;
  }

  /** Ends the request that a message answers, or that a refused message would have been. */
  end(message: unknown): void {
    if (isJsonObject(message)) this.#ids.delete(message["id"]);
  }
}
