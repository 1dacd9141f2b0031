import { isJsonObject } from "@dispatch/tools-interface/internal";

/** The id of a request. */
type Id = string | number;

/** Why a request is refused whose id is in use. */
export const IN_USE = "another request with this id is being answered";

/** The ids of one client's requests that have no answer yet. The protocol allows no second request with one of them. */
export class OpenRequests {
  readonly #ids = new Set<Id>();

  /** Takes a message of the client. False: it is a request whose id is in use. */
  take(message: unknown): boolean {
    const id = idOf(message);
    return (
      id === undefined || !isJsonObject(message) || !("method" in message) || this.#ids.size < this.#ids.add(id).size
    );
  }

  /** Frees the id of a message: of an answer, or of a request that is not answered. */
  end(message: unknown): void {
    const id = idOf(message);
    if (id !== undefined) this.#ids.delete(id);
  }
}

function idOf(message: unknown): Id | undefined {
  const id = isJsonObject(message) ? message["id"] : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** The request that a message cancels. */
export function cancelledRequest(message: unknown): { readonly id: Id } | undefined {
  const { method, params } = isJsonObject(message) ? message : {};
  if (method !== "notifications/cancelled" || !isJsonObject(params)) return undefined;
  const id = idOf({ id: params["requestId"] });
  return id === undefined ? undefined : { id };
}
