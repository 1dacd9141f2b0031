import type { GuestHost } from "./guest-host.ts";

/** The parts of a URL, as the host parses it. */
type UrlParts = Readonly<Record<string, string>>;

/**
 * Makes the web globals that QuickJS lacks, out of the host's own: `URL`, and texts by `Intl`. Runs inside QuickJS,
 * sent there as source, so it uses nothing from outside itself and takes everything it needs before the program starts.
 */
export function guestWeb(host: GuestHost): Readonly<Record<string, unknown>> {
  const { parse, stringify } = JSON;
  const { keys } = Object;
  const { TypeError } = globalThis;
  const { getTime } = Date.prototype;
  const { apply, defineProperty } = Reflect;

  const encode = (text: string): string =>
    encodeURIComponent(text)
      .replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
      .replaceAll("%20", "+");
  const decode = (text: string): string => {
    const spaced = text.replaceAll("+", " ");
    try {
      return decodeURIComponent(spaced);
    } catch {
      return spaced;
    }
  };

  class URLSearchParams {
    #pairs: [string, string][] = [];
    /** Called after each change. */
    #changed: () => void = () => undefined;

    constructor(init: unknown = "") {
      if (typeof init === "string") {
        for (const part of init.replace(/^\?/, "").split("&")) {
          if (part === "") continue;
          const [name = "", ...value] = part.split("=");
          this.#pairs.push([decode(name), decode(value.join("="))]);
        }
      } else if (typeof init === "object" && init !== null) {
        const pairs = Symbol.iterator in init ? [...(init as Iterable<[unknown, unknown]>)] : Object.entries(init);
        this.#pairs = pairs.map(([name, value]) => [`${name}`, `${value}`]);
      }
    }

    static of(query: string, changed: () => void): URLSearchParams {
      const made = new URLSearchParams(query);
      made.#changed = changed;
      return made;
    }

    get size(): number {
      return this.#pairs.length;
    }

    append(name: string, value: string): void {
      this.#pairs.push([`${name}`, `${value}`]);
      this.#changed();
    }

    delete(name: string): void {
      this.#pairs = this.#pairs.filter(([found]) => found !== name);
      this.#changed();
    }

    get(name: string): string | null {
      return this.#pairs.find(([found]) => found === name)?.[1] ?? null;
    }

    getAll(name: string): string[] {
      return this.#pairs.filter(([found]) => found === name).map(([, value]) => value);
    }

    has(name: string): boolean {
      return this.#pairs.some(([found]) => found === name);
    }

    set(name: string, value: string): void {
      const at = this.#pairs.findIndex(([found]) => found === name);
      if (at === -1) return this.append(name, value);
      this.#pairs = this.#pairs.filter(([found], index) => found !== name || index === at);
      (this.#pairs[at] as [string, string])[1] = `${value}`;
      this.#changed();
    }

    sort(): void {
      this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      this.#changed();
    }

    forEach(run: (value: string, name: string, all: URLSearchParams) => void): void {
      for (const [name, value] of this.#pairs) run(value, name, this);
    }

    *entries(): IterableIterator<[string, string]> {
      for (const [name, value] of this.#pairs) yield [name, value];
    }

    *keys(): IterableIterator<string> {
      for (const [name] of this.#pairs) yield name;
    }

    *values(): IterableIterator<string> {
      for (const [, value] of this.#pairs) yield value;
    }

    [Symbol.iterator](): IterableIterator<[string, string]> {
      return this.entries();
    }

    toString(): string {
      return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
    }
  }

  class URL {
    #parts: UrlParts;
    readonly #params: URLSearchParams;

    constructor(href: unknown, base?: unknown) {
      const found = base === undefined ? host("url", `${href}`) : host("url", `${href}`, `${base as string}`);
      if (found === undefined) throw new TypeError(`Invalid URL: ${stringify(`${href}`.slice(0, 200))}`);
      this.#parts = parse(found);
      this.#params = URLSearchParams.of(this.#part("search"), () => this.#set("search", this.#params.toString()));
    }

    static canParse(href: unknown, base?: unknown): boolean {
      return URL.parse(href, base) !== null;
    }

    static parse(href: unknown, base?: unknown): URL | null {
      try {
        return new URL(href, base);
      } catch {
        return null;
      }
    }

    /** Defines the parts as properties, whose setters the host runs. */
    static {
      for (const name of keys(parse(host("url", "a:") as string))) {
        defineProperty(URL.prototype, name, {
          get(this: URL) {
            return this.#part(name);
          },
          ...(name !== "origin" && {
            set(this: URL, value: unknown) {
              this.#set(name, `${value}`);
            },
          }),
          enumerable: true,
          configurable: true,
        });
      }
    }

    #part(name: string): string {
      return this.#parts[name] ?? "";
    }

    #set(name: string, value: string): void {
      const found = host("url", this.#part("href"), value, name);
      if (found !== undefined) this.#parts = parse(found);
    }

    get searchParams(): URLSearchParams {
      return this.#params;
    }

    toString(): string {
      return this.#part("href");
    }

    toJSON(): string {
      return this.#part("href");
    }
  }

  const format = (method: string, value: number | string, locales: unknown, options: unknown): any =>
    parse(host("format", method, value, stringify([locales ?? null, options ?? null])));
  const define = (target: object, name: string, value: unknown): void =>
    void defineProperty(target, name, { value, writable: true, configurable: true });
  define(Number.prototype, "toLocaleString", function (this: number, locales?: unknown, options?: unknown) {
    return format("number", this.valueOf(), locales, options);
  });
  define(BigInt.prototype, "toLocaleString", function (this: bigint, locales?: unknown, options?: unknown) {
    return format("bigint", `${this}`, locales, options);
  });
  for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"])
    define(Date.prototype, name, function (this: Date, locales?: unknown, options?: unknown) {
      return format(name, apply(getTime, this, []), locales, options);
    });
  // Both are called with `new` and without.
  function NumberFormat(locales?: unknown, options?: unknown): object {
    return { format: (value: number | bigint) => format("number", Number(value), locales, options) };
  }
  function DateTimeFormat(locales?: unknown, options?: unknown): object {
    return {
      format: (value: Date | number = Date.now()) => format("toLocaleDateString", Number(value), locales, options),
      resolvedOptions: () => ({ locale: "en-US", timeZone: "UTC" }),
    };
  }
  return { URL, URLSearchParams, Intl: { NumberFormat, DateTimeFormat } };
}
