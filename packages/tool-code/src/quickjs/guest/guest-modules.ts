import { guestAssert, type GuestAssert } from "./guest-assert.ts";

/** The error text for a program that asks for a module. */
export function importRefusal(name: string): string {
  return `Importing ${JSON.stringify(name.slice(0, 200))}: it is not here, allowed are path, buffer, util, events, assert and timers/promises`;
}

/**
 * Makes the modules of Node that programs find, as far as they compute. Runs inside QuickJS, sent there as source, so it uses nothing from outside of itself but its
 * parameters.
 */
export function guestModules(
  inspect: (value: unknown) => string,
  format: (args: readonly unknown[]) => string,
  Buffer: typeof Uint8Array,
  { assert, isDeepStrictEqual }: GuestAssert,
): Readonly<Record<string, object>> {
  function normalize(path: string): string {
    const parts: string[] = [];
    const isAbsolute = path.startsWith("/");
    for (const part of path.split("/")) {
      if (part === "" || part === ".") continue;
      if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
      else if (part !== ".." || !isAbsolute) parts.push(part);
    }
    const joined = (isAbsolute ? "/" : "") + parts.join("/");
    return joined === "" ? "." : joined + (path.endsWith("/") && parts.length > 0 ? "/" : "");
  }
  const join = (...parts: readonly string[]): string => normalize(parts.filter((part) => part !== "").join("/"));
  const resolve = (...parts: readonly string[]): string => {
    const from = parts.findLastIndex((part) => part.startsWith("/"));
    const found = normalize(`/${parts.slice(Math.max(from, 0)).join("/")}`);
    return found.length > 1 ? found.replace(/\/$/, "") : found;
  };
  const trimmed = (path: string): string => path.replace(/(?<=.)\/+$/, "");
  const dirname = (path: string): string => {
    const at = trimmed(path).lastIndexOf("/");
    return at === -1 ? "." : at === 0 ? "/" : trimmed(path.slice(0, at));
  };
  const basename = (path: string, suffix = ""): string => {
    const name = trimmed(path).slice(trimmed(path).lastIndexOf("/") + 1);
    return suffix !== "" && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
  };
  const extname = (path: string): string => /(?<=[^/])\.[^./]*$/.exec(basename(path))?.[0] ?? "";
  const relative = (from: string, to: string): string => {
    const [one, other] = [from, to].map((path) => resolve(path).split("/").filter(Boolean)) as [string[], string[]];
    const differ = one.findIndex((part, at) => part !== other[at]);
    const shared = differ === -1 ? one.length : differ;
    return [...one.slice(shared).map(() => ".."), ...other.slice(shared)].join("/");
  };
  const path: Record<string, unknown> = {
    sep: "/",
    delimiter: ":",
    normalize,
    join,
    resolve,
    isAbsolute: (given: string) => given.startsWith("/"),
    dirname,
    basename,
    extname,
    relative,
  };
  path["posix"] = path;

  class EventEmitter {
    #listeners = new Map<unknown, ((...args: unknown[]) => void)[]>();
    on(event: unknown, listener: (...args: unknown[]) => void): this {
      this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
      return this;
    }
    once(event: unknown, listener: (...args: unknown[]) => void): this {
      const once = (...args: unknown[]): void => {
        this.off(event, once);
        listener.apply(this, args);
      };
      return this.on(event, once);
    }
    off(event: unknown, listener: (...args: unknown[]) => void): this {
      this.#listeners.set(
        event,
        (this.#listeners.get(event) ?? []).filter((found) => found !== listener),
      );
      return this;
    }
    emit(event: unknown, ...args: unknown[]): boolean {
      const listeners = this.#listeners.get(event) ?? [];
      if (listeners.length === 0 && event === "error") throw args[0];
      for (const listener of listeners) listener.apply(this, args);
      return listeners.length > 0;
    }
    listenerCount(event: unknown): number {
      return this.#listeners.get(event)?.length ?? 0;
    }
  }
  Object.assign(EventEmitter.prototype, {
    addListener: EventEmitter.prototype.on,
    removeListener: EventEmitter.prototype.off,
  });

  /** A function that takes a callback as one that gives a promise. `setTimeout` takes it first. */
  const promisify =
    (run: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): Promise<unknown> =>
      new Promise((done, reject) => {
        if (run === (globalThis.setTimeout as unknown)) return void run(() => done(args[1]), args[0]);
        return void run(...args, (error: unknown, value: unknown) => (error ? reject(error) : done(value)));
      });

  /** The arguments of the next event of that name. */
  const once = (emitter: EventEmitter, event: unknown): Promise<unknown[]> =>
    new Promise((done, reject) => {
      emitter.once(event, (...args) => done(args));
      if (event !== "error") emitter.once("error", reject);
    });

  const { setTimeout, setImmediate } = globalThis;
  return {
    path,
    "path/posix": path,
    buffer: { Buffer },
    util: {
      promisify,
      inspect: (value: unknown) => inspect(value),
      format: (...args: unknown[]) => format(args),
      isDeepStrictEqual,
    },
    events: Object.assign(EventEmitter, { EventEmitter, once }),
    assert,
    "assert/strict": assert,
    "timers/promises": {
      setTimeout: (ms?: number, value?: unknown) => new Promise((done) => setTimeout(() => done(value), ms)),
      setImmediate: (value?: unknown) => new Promise((done) => setImmediate(() => done(value))),
    },
  };
}

/** The same on this side, for the names of their exports. */
const modules = guestModules(String, String, Uint8Array, guestAssert(String));

/** The source of a module, for `import`. It re-exports the value of `require`. `undefined` for a missing one. */
export function guestModule(name: string): string | undefined {
  const plain = name.replace(/^node:/, "");
  const found = Object.hasOwn(modules, plain) ? modules[plain] : undefined;
  return (
    found &&
    `const m = require("${plain}");\nexport default m;\nexport const { ${Object.keys(found).join(", ")} } = m;\n`
  );
}
