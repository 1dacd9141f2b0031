import type { GuestHost } from "./guest-host.ts";

/** `console`, and its buffered output. */
export interface GuestConsole {
  readonly console: object;
  /** Prints the buffered output. */
  flush(): void;
  /** The text that `log` prints. */
  format(args: readonly unknown[]): string;
}

/**
 * Makes `console`. Runs inside QuickJS, sent there as source, so it uses nothing from outside itself and takes
 * everything it needs before the program starts.
 */
export function guestConsole(host: GuestHost, inspect: (value: unknown) => string): GuestConsole {
  const { apply } = Reflect;
  const { slice } = String.prototype;
  const { now } = Date;
  /** A longer text is over every limit of output that anyone sets. */
  const MAX_CHARS = 16_777_216;
  /** So many texts are printed at once. Of more, which nobody reads one by one, pieces of `PIECE_CHARS` are made. */
  const SINGLE_TEXTS = 500;
  const PIECE_CHARS = 4_096;
  let held = "";
  let printed = 0;
  const counts = new Map<string, number>();
  const times = new Map<string, number>();
  let indent = "";

  const plain = (value: unknown): string => (typeof value === "string" ? value : inspect(value));

  /** Fills in `%s` and the like, as consoles do. */
  function formatted([first, ...rest]: readonly unknown[]): string {
    if (typeof first !== "string" || rest.length === 0 || !first.includes("%"))
      return [first, ...rest].map(plain).join(" ");
    let next = 0;
    const text = first.replace(/%[sdifjoOc%]/g, (found) => {
      if (found === "%%") return "%";
      if (next >= rest.length) return found;
      const value = rest[next++];
      if (found === "%c") return "";
      if (found === "%s") return plain(value);
      if (found === "%d" || found === "%f") return `${Number(value)}`;
      if (found === "%i") return `${Math.trunc(Number(value))}`;
      return found === "%j" ? `${JSON.stringify(value)}` : inspect(value);
    });
    return [text, ...rest.slice(next).map(plain)].join(" ");
  }

  function format(args: readonly unknown[]): string {
    const [only] = args;
    return args.length === 0 ? "" : args.length === 1 && typeof only === "string" ? only : formatted(args);
  }

  const log = (...args: readonly unknown[]): void => {
    const text = format(args);
    const shown = indent === "" ? text : indent + text.split("\n").join(`\n${indent}`);
    held += `${shown.length > MAX_CHARS ? apply(slice, shown, [0, MAX_CHARS]) : shown}\n`;
    printed += 1;
    if (printed < SINGLE_TEXTS || held.length > PIECE_CHARS) flush();
  };

  function flush(): void {
    if (held === "") return;
    host("print", held);
    held = "";
  }

  function table(rows: unknown): void {
    if (typeof rows !== "object" || rows === null) return log(rows);
    const body = Object.entries(rows).map(([index, row]): [string, Record<string, unknown>] => [
      index,
      typeof row === "object" && row !== null ? (row as Record<string, unknown>) : { Values: row },
    ]);
    const columns = [...new Set(body.flatMap(([, row]) => Object.keys(row)))];
    const lines = [
      ["(idx)", ...columns],
      ...body.map(([index, row]) => [index, ...columns.map((name) => (name in row ? inspect(row[name]) : ""))]),
    ];
    const widths = ["", ...columns].map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)) + 2);
    const rule = (left: string, middle: string, right: string): string =>
      left + widths.map((width) => "─".repeat(width)).join(middle) + right;
    // A column of numbers alone stands to the right.
    const isRight = columns.map((name) =>
      body.every(([, row]) => !(name in row) || /^(?:number|bigint)$/.test(typeof row[name])),
    );
    const shown = lines.map(
      ([index = "", ...cells]) =>
        `│${[index, ...cells].map((cell, at) => (at === 0 || isRight[at - 1] ? `${cell.padStart((widths[at] ?? 0) - 1)} ` : ` ${cell}`.padEnd(widths[at] ?? 0))).join("│")}│`,
    );
    const [head = "", ...rest] = shown;
    for (const line of [rule("┌", "┬", "┐"), head, rule("├", "┼", "┤"), ...rest, rule("└", "┴", "┘")]) log(line);
  }

  const methods: Record<string, (...args: any[]) => void> = {
    log,
    info: log,
    debug: log,
    warn: log,
    error: log,
    trace: log,
    dir: (value) => log(inspect(value)),
    dirxml: log,
    table,
    assert: (condition, ...args) => {
      if (!condition) log("Assertion failed:", ...args);
    },
    group: (...args) => {
      if (args.length > 0) log(...args);
      if (indent.length < 100) indent += "  ";
    },
    groupEnd: () => {
      indent = indent.slice(2);
    },
    count: (label = "default") => {
      counts.set(`${label}`, (counts.get(`${label}`) ?? 0) + 1);
      log(`${label}: ${counts.get(`${label}`)}`);
    },
    countReset: (label = "default") => void counts.delete(`${label}`),
    time: (label = "default") => void times.set(`${label}`, now()),
    timeLog: (label = "default", ...args) => log(`${label}: ${now() - (times.get(`${label}`) ?? now())}ms`, ...args),
    timeEnd: (label = "default") => {
      log(`${label}: ${now() - (times.get(`${label}`) ?? now())}ms`);
      times.delete(`${label}`);
    },
    clear: () => undefined,
  };
  methods["groupCollapsed"] = methods["group"] as () => void;
  return { console: methods, flush, format };
}
