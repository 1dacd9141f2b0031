import path from "node:path";
import { findTool } from "./find-tool.ts";
import type { Wall, WrapAccess } from "./wall.ts";

/** Where macOS keeps its loader, its libraries and the data of time zones. */
const SYSTEM = [
  "/usr/lib",
  "/System/Library",
  "/System/Volumes/Preboot/Cryptexes",
  "/usr/share/zoneinfo",
  "/private/var/db/timezone",
];
const NAME_FILES = ["/private/etc/hosts", "/private/etc/resolv.conf", "/private/var/run/mDNSResponder"];

/**
 * The wall of macOS: a profile of `sandbox-exec`, which denies all it does not name. It bounds neither the number of
 * processes nor the size of temporary files, and processes of others stay visible by their ids.
 *
 * @throws {Error} When there is no `sandbox-exec`.
 */
export function seatbeltWall(): Wall {
  const command = findTool("sandbox-exec");
  return {
    name: "a macOS sandbox profile",
    hasOwnScratch: false,
    enclose(program, args, access) {
      return { command, args: [...seatbeltArguments(program, access), program, ...args] };
    },
  };
}

/** The arguments of `sandbox-exec`. Paths are parameters: none becomes part of the profile's text. */
export function seatbeltArguments(program: string, access: WrapAccess): readonly string[] {
  const { directory, cwd, readOnly, network } = access;
  const parameters: Record<string, string> = { PROGRAM: program, DIRECTORY: directory };
  if (cwd !== undefined) parameters["CWD"] = cwd;
  // The way to a file is looked up, and nothing beside it.
  const ways = [...new Set(Object.values(parameters).flatMap(directoriesAbove))];
  for (const [at, way] of ways.entries()) parameters[`ABOVE${at}`] = way;
  const literal = (...files: readonly string[]): string => files.map((file) => `(literal "${file}")`).join(" ");
  const subpaths = SYSTEM.map((place) => `(subpath "${place}")`).join(" ");
  const profile = [
    "(version 1)",
    "(deny default)",
    '(allow process-exec (literal (param "PROGRAM")))',
    "(allow process-info* (target self))",
    "(allow signal (target self))",
    "(allow sysctl-read)",
    `(allow file-read* file-map-executable ${subpaths} (literal (param "PROGRAM")))`,
    `(allow file-read* ${literal("/", "/dev/null", "/dev/random", "/dev/urandom", "/private/etc/localtime")})`,
    `(allow file-write-data ${literal("/dev/null")})`,
    `(allow file-read-metadata ${ways.map((_, at) => `(literal (param "ABOVE${at}"))`).join(" ")})`,
    '(allow file-read* file-write* (subpath (param "DIRECTORY")))',
    ...(cwd === undefined ? [] : [`(allow file-read*${readOnly ? "" : " file-write*"} (subpath (param "CWD")))`]),
    ...(network
      ? [
          "(allow system-socket)",
          "(allow network-outbound (remote ip))",
          `(allow network-outbound ${literal("/private/var/run/mDNSResponder")})`,
          `(allow file-read* ${literal(...NAME_FILES)})`,
        ]
      : []),
  ];
  return [
    ...Object.entries(parameters).flatMap(([name, value]) => ["-D", `${name}=${value}`]),
    "-p",
    profile.join("\n"),
  ];
}

function directoriesAbove(file: string): readonly string[] {
  const above = path.posix.dirname(file);
  return above === file ? [] : [above, ...directoriesAbove(above)];
}
