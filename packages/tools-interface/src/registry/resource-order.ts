/** Which resources a call touches, and how. */
export interface CallAccess {
  /** The call only reads. */
  readonly reads: boolean;
  /** The resources it touches; `undefined` when it may touch any. */
  readonly resources: readonly string[] | undefined;
}

type Ended = Promise<unknown>;

/**
 * Ended calls that later ones wait for, joined when somebody has to wait: so that a call that waits for a thousand others
 * costs a thousand steps once, and not each call after it again.
 */
class Pending {
  #joined: Ended | undefined;
  #added: Ended[] = [];

  add(call: Ended): void {
    this.#added.push(call);
  }

  collect(into: Ended[]): void {
    if (this.#added.length > 0) {
      this.#joined = Promise.all(this.#joined === undefined ? this.#added : [this.#joined, ...this.#added]);
      this.#added = [];
    }
    if (this.#joined !== undefined) into.push(this.#joined);
  }

  clear(): void {
    this.#joined = undefined;
    this.#added = [];
  }
}

/** The reads of one resource since it was last written, and that write. */
interface ResourceState {
  readonly reads: Pending;
  write: Ended | undefined;
}

/**
 * Orders parallel calls: a readers and writer lock over resources, for calls in their order of arrival. Each call waits for
 * the earlier ones that it conflicts with. Takes time in proportion to the number of calls and of the resources they name.
 */
export class ResourceOrder {
  readonly #resources = new Map<string, ResourceState>();
  /** The last call that may have written anything, for which all later ones wait. */
  #barrier: Ended | undefined;
  readonly #reads = new Pending();
  readonly #writes = new Pending();
  /** Reads that may be of anything. */
  readonly #openReads = new Pending();

  /** Starts the call once those before it have ended that touch the same, unless both only read. */
  after<T>({ reads, resources }: CallAccess, start: () => Promise<T>): Promise<T> {
    const before: Ended[] = [];
    if (resources?.length !== 0 && this.#barrier !== undefined) before.push(this.#barrier);
    if (resources === undefined) {
      this.#writes.collect(before);
      if (!reads) this.#reads.collect(before);
    } else if (resources.length > 0) {
      if (!reads) this.#openReads.collect(before);
      for (const resource of resources) this.#collect(resource, reads, before);
    }
    const call = (before.length === 0 ? Promise.resolve() : Promise.all(before)).then(start);
    this.#add({ reads, resources }, call);
    return call;
  }

  #collect(resource: string, reads: boolean, before: Ended[]): void {
    const state = this.#resources.get(resource);
    if (state?.write !== undefined) before.push(state.write);
    if (!reads) state?.reads.collect(before);
  }

  #add({ reads, resources }: CallAccess, call: Ended): void {
    if (resources === undefined && !reads) {
      this.#barrier = call;
      this.#resources.clear();
      for (const pending of [this.#reads, this.#writes, this.#openReads]) pending.clear();
      return;
    }
    if (resources?.length === 0) return;
    (reads ? this.#reads : this.#writes).add(call);
    if (resources === undefined) this.#openReads.add(call);
    for (const resource of resources ?? []) {
      let state = this.#resources.get(resource);
      if (state === undefined) this.#resources.set(resource, (state = { reads: new Pending(), write: undefined }));
      if (reads) state.reads.add(call);
      else {
        state.write = call;
        state.reads.clear();
      }
    }
  }
}
