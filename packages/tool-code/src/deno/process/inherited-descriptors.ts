import { readdirSync, readFileSync } from "node:fs";

/** `O_CLOEXEC` of Linux. */
const CLOSE_ON_EXEC = 0o2_000_000;

let inherited: readonly number[] | undefined;

/**
 * The descriptors, in order, that this process was given by the one that started it, and would pass on to a child, on Linux: Node
 * closes its own in children, and those of its start only up to the first gap. Read once.
 */
export function inheritedDescriptors(): readonly number[] {
  inherited ??= process.platform === "linux" ? passedOn() : [];
  return inherited;
}

function passedOn(): readonly number[] {
  try {
    return readdirSync("/proc/self/fdinfo")
      .map(Number)
      .filter((descriptor) => descriptor > 2 && isPassedOn(descriptor))
      .toSorted((one, other) => one - other);
  } catch {
    // No /proc.
    return [];
  }
}

function isPassedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // It was the one that listed the others.
    return false;
  }
}
