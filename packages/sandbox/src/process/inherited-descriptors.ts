import { readdirSync, readFileSync } from "node:fs";

/** `O_CLOEXEC` of Linux. */
const CLOSE_ON_EXEC = 0o2_000_000;

let inherited: readonly number[] | undefined;

/**
 * The descriptors, in order, that this process was given by the one that started it, and would pass on to a child, on Linux: Node
 * closes its own in children, and those of its start only up to the first gap. Read once.
 *
 * @throws An `Error` when they cannot be read, or one of them is beyond the limit of open files: nothing can take its place.
 */
export function inheritedDescriptors(): readonly number[] {
  inherited ??= process.platform === "linux" ? passedOn() : [];
  return inherited;
}

function passedOn(): readonly number[] {
  const open = unlessMissing(() => readdirSync("/proc/self/fdinfo")) ?? [];
  const given = open
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isPassedOn(descriptor))
    .toSorted((one, other) => one - other);
  const limit = Number(/^Max open files\s+(\d+)/m.exec(given.length === 0 ? "" : limits())?.[1] ?? Infinity);
  const last = given.at(-1);
  if (last !== undefined && last >= limit)
    throw new Error(
      `this process was given descriptor ${last}, which its limit of ${limit} open files keeps from being closed in programs; raise the limit, or start the process without it`,
    );
  return given;
}

function isPassedOn(descriptor: number): boolean {
  // The one that listed the others is closed.
  const info = unlessMissing(() => readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1"));
  const flags = info === undefined ? undefined : /^flags:\s+([0-7]+)$/m.exec(info)?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
}

function limits(): string {
  return readFileSync("/proc/self/limits", "latin1");
}

function unlessMissing<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
