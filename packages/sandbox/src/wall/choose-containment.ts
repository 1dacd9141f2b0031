import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { NoKernelWallError, type Containment, type ContainmentPart, type ContainmentReport } from "./containment.ts";
import { findWall, type WallSearch } from "./find-wall.ts";
import { REFUSAL } from "./launcher.ts";
import { programIdentity, type ProgramIdentity } from "./program-identity.ts";
import { customWall, type Wall, type WrapCommand } from "./wall.ts";

/** The host's request and the system to choose for. */
export interface ContainmentChoice extends Omit<WallSearch, "identity"> {
  /** The containment the host asks for. */
  readonly containment: Containment;
  /** The host's own wall, taken before any other. */
  readonly wrap: WrapCommand | undefined;
  /** The directory that programs may use. */
  readonly cwd: string | undefined;
  /** Called with the choice. Default: the process emits a warning when a part of it does not hold. */
  readonly onContainment: ((report: ContainmentReport) => void) | undefined;
}

/** The chosen containment and its report. */
export interface ChosenContainment {
  readonly wall: Wall | undefined;
  readonly report: ContainmentReport;
}

const LEVELS: readonly string[] = ["auto", "required", "process"] satisfies readonly Containment[];
const faults = new Map<string, string | undefined>();
let warned = false;

/**
 * Chooses the containment of programs, and reports it to the host.
 *
 * @throws {TypeError} When `containment` is not one of its three values.
 * @throws {NoKernelWallError} When kernel containment is required and a part of it cannot be had.
 */
export function chooseContainment({ onContainment, ...choice }: ContainmentChoice): ChosenContainment {
  if (!LEVELS.includes(choice.containment))
    throw new TypeError(`Setting containment: found ${choice.containment}, allowed are ${LEVELS.join(", ")}`);
  const chosen = choose(choice);
  if (onContainment !== undefined) onContainment(chosen.report);
  else if (choice.containment === "auto" && chosen.report.advice.length > 0) warnOnce(chosen.report);
  return chosen;
}

function choose({ containment, wrap, cwd, ...search }: Omit<ContainmentChoice, "onContainment">): ChosenContainment {
  if (wrap !== undefined) {
    const wall = customWall(wrap);
    return { wall, report: { strength: "custom", wall: wall.name, parts: [], missing: [], advice: [] } };
  }
  if (containment === "process") {
    const missing = ["the host asked for none"];
    return { wall: undefined, report: { strength: "process", wall: undefined, parts: [], missing, advice: [] } };
  }
  const identity = programIdentity(cwd);
  const { wall, missing } = findWall({ ...search, identity });
  const limits = limitsFault(identity);
  const parts: ContainmentPart[] = wall === undefined ? [] : ["namespaces", "filter"];
  if (limits === undefined) parts.push("limits");
  const report: ContainmentReport = {
    strength: wall === undefined ? "process" : "kernel",
    wall: wall?.name,
    parts,
    missing: limits === undefined ? missing : [...missing, limits],
    advice: process.platform === "linux" ? adviceFor(parts, missing) : [],
  };
  const isWhole = wall !== undefined && (process.platform !== "linux" || parts.length === 3);
  if (!isWhole && containment === "required") throw new NoKernelWallError(report);
  return { wall, report };
}

/** Why the kernel's limits cannot be set. The answer is kept for the life of this process. */
function limitsFault(identity: ProgramIdentity | undefined): string | undefined {
  if (process.platform !== "linux") return "the kernel's limits are set on Linux only";
  const key = JSON.stringify([identity]);
  if (!faults.has(key)) faults.set(key, triedLimits(identity));
  return faults.get(key);
}

/** As the guard of processes sets them. */
function triedLimits(identity: ProgramIdentity | undefined): string | undefined {
  const sets = ["prlimit", "--core=0", "true"] as const;
  const [command, ...args] =
    identity === undefined
      ? sets
      : (["setpriv", "--clear-groups", `--reuid=${identity.uid}`, `--regid=${identity.gid}`, ...sets] as const);
  const { status, error, stderr } = spawnSync(command, args, { env: { PATH: "/usr/bin:/bin" }, encoding: "utf8" });
  if (status === 0) return undefined;
  const found = error === undefined ? stderr.trim() || `it ended with status ${status}` : error.message;
  return `limits of the kernel, set by ${command === "setpriv" ? "setpriv and prlimit" : command}: ${found}`;
}

/** Settings of the kernel that keep a user from making namespaces, with the value that does. */
const FORBIDDING: readonly (readonly [file: string, value: string, allow: string])[] = [
  ["/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "kernel.apparmor_restrict_unprivileged_userns=0"],
  ["/proc/sys/kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"],
  ["/proc/sys/user/max_user_namespaces", "0", "user.max_user_namespaces=10000"],
];

function adviceFor(parts: readonly ContainmentPart[], [reason = ""]: readonly string[]): readonly string[] {
  const advice: string[] = [];
  if (!parts.includes("namespaces")) {
    const set = FORBIDDING.filter(([file, value]) => readText(file) === value).map(([, , allow]) => allow);
    advice.push(
      set.length > 0
        ? `namespaces and filter: run \`sysctl -w ${set.join(" ")}\` as root, or install bubblewrap where its profile allows them`
        : reason.includes(REFUSAL)
          ? "namespaces and filter: in a container, run it with `--security-opt seccomp=unconfined --security-opt systempaths=unconfined --security-opt apparmor=unconfined`, or with a runtime that allows nested user namespaces"
          : "namespaces and filter: install a Perl that runs (perl-base, or perl-interpreter with dnf) on Linux 5.12 or later, or bubblewrap",
    );
  }
  if (!parts.includes("limits")) advice.push("limits: install prlimit and setpriv, which are parts of util-linux");
  return advice;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "latin1").trim();
  } catch {
    return undefined;
  }
}

function warnOnce({ strength, missing, advice }: ContainmentReport): void {
  if (warned) return;
  warned = true;
  const detail = [...missing, ...advice].join("\n");
  if (strength === "process") {
    const text = "Programs run with no wall but Deno's own: a flaw in V8 or Deno gives them the rights of the host";
    process.emitWarning(text, { type: "ContainmentWarning", code: "DISPATCH_NO_KERNEL_WALL", detail });
    return;
  }
  const text = "Programs run behind a wall of the kernel without its limits: the host alone watches what they use";
  process.emitWarning(text, { type: "ContainmentWarning", code: "DISPATCH_PARTIAL_WALL", detail });
}
