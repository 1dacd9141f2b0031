import type { RequestId, Server } from "@modelcontextprotocol/server";
import { NoWorktreeError, worktreeOfRoots } from "./client-root.ts";
import type { Log } from "./log.ts";

/** What says where to work, and who is told. */
export interface WorktreeParts {
  /** Absolute path. `undefined`: the client's root. */
  readonly workspace: string | undefined;
  /** Directory of the memory, where it is kept. */
  readonly memory: string | undefined;
  readonly log: Log;
}

/** What is missing where no directory was given and none can be asked for. */
export const NO_DIRECTORY =
  "Cannot work: no directory was given and this client names no roots. Ask the user to start the server with --workspace";

/** How long a client may take to name its roots. */
const TIMEOUT_MS = 10_000;

/** Where the calls of one client work. The directory that the user named wins; roots are then not looked at. */
export class ClientWorktree {
  readonly #server: Server;
  readonly #parts: WorktreeParts;
  #root: Promise<string> | undefined;

  constructor(server: Server, parts: WorktreeParts) {
    this.#server = server;
    this.#parts = parts;
  }

  /** Whether there is a directory, or a client that can name one. Clients without a handshake cannot be asked. */
  isKnown(): boolean {
    return this.#parts.workspace !== undefined || this.#server.getClientCapabilities()?.roots !== undefined;
  }

  /** Asks for the roots anew when they are needed next. Calls that run stay where they are. */
  forget(): void {
    this.#root = undefined;
  }

  /**
   * Absolute path.
   *
   * @param during The request for which it is needed.
   * @throws {NoWorktreeError} When there is none.
   */
  async path(during: RequestId): Promise<string> {
    if (this.#parts.workspace !== undefined) return this.#parts.workspace;
    if (!this.isKnown()) throw new NoWorktreeError(NO_DIRECTORY);
    if (this.#root !== undefined) return this.#root;
    const root = this.#ask(during).then((roots) => worktreeOfRoots(roots, this.#parts.memory));
    this.#root = root;
    try {
      const directory = await root;
      this.#parts.log.detail(`works in ${directory}`);
      return directory;
    } catch (error) {
      if (this.#root === root) this.#root = undefined;
      throw error;
    }
  }

  async #ask(relatedRequestId: RequestId): Promise<readonly { readonly uri: string }[]> {
    try {
      return (await this.#server.listRoots(undefined, { relatedRequestId, timeout: TIMEOUT_MS })).roots;
    } catch (error) {
      this.#parts.log.warn(`roots/list failed: ${error instanceof Error ? error.message : String(error)}`);
      throw new NoWorktreeError("Cannot work: the client did not name its roots as directories");
    }
  }
}
