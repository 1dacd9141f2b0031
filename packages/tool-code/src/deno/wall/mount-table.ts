import { readFileSync } from "node:fs";

/** One mount of this process, as `/proc/self/mountinfo` lists it. */
export interface Mount {
  /** Where it is. */
  readonly point: string;
  /** Its own options, such as `ro`. */
  readonly options: readonly string[];
}

/** A bind mount loses none of these: the kernel refuses that to who did not make the mount. */
const LOCKED = new Set(["ro", "nosuid", "nodev", "noexec", "noatime", "nodiratime", "relatime"]);

/** The mounts of this process, in the order they were made. */
export function currentMounts(): readonly Mount[] {
  return readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [, , , , point = "", options = ""] = line.split(" ");
      return { point: unescaped(point), options: options.split(",") };
    });
}

/** The options that a bind mount of `file` has to keep. */
export function lockedOptions(mounts: readonly Mount[], file: string): readonly string[] {
  const over = mounts.filter(({ point }) => isBelow(point, file));
  // The last one hides those before it at the same place.
  const mount = over.reduce<Mount | undefined>(
    (best, next) => (best === undefined || next.point.length >= best.point.length ? next : best),
    undefined,
  );
  return (mount?.options ?? []).filter((option) => LOCKED.has(option));
}

/** The places of mounts below a directory, outermost first. */
export function mountsBelow(mounts: readonly Mount[], directory: string): readonly string[] {
  const points = mounts.map(({ point }) => point).filter((point) => point !== directory && isBelow(directory, point));
  return [...new Set(points)].toSorted((one, other) => one.length - other.length);
}

/** A line of a table that `mount --all --fstab` reads. */
export function mountLine(source: string, target: string, type: string, options: readonly string[]): string {
  return `${escaped(source)} ${escaped(target)} ${type} ${[...new Set(options)].join(",")} 0 0\n`;
}

function isBelow(directory: string, file: string): boolean {
  return directory === "/" || file === directory || file.startsWith(`${directory}/`);
}

/** As `getmntent` reads it. */
function escaped(text: string): string {
  return text.replace(/[ \t\n\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);
}

function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}
