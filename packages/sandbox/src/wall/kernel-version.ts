import { release } from "node:os";

/** Whether this system's kernel is Linux of a version or a later one. */
export function isLinux(major: number, minor: number): boolean {
  const [foundMajor = 0, foundMinor = 0] = release()
    .split(".")
    .map((part) => Number.parseInt(part, 10));
  return process.platform === "linux" && (foundMajor > major || (foundMajor === major && foundMinor >= minor));
}
