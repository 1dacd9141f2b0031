import { NoKernelWallError, type Containment, type ContainmentReport } from "./containment.ts";
import { findWall } from "./find-wall.ts";
import { programIdentity } from "./program-identity.ts";
import { customWall, type Wall } from "./wall.ts";
import type { WrapCommand } from "./wrap-command.ts";

/** The host's request and the system to choose for. */
export interface ContainmentChoice {
  /** The containment the host asks for. */
  readonly containment: Containment;
  /** The host's own wall, taken before any other. */
  readonly wrap: WrapCommand | undefined;
  /** Real path of the program that will run inside. */
  readonly program: string;
  /** The directory that programs may use. */
  readonly cwd: string | undefined;
  /** Where a trial may make a directory. */
  readonly tempDir: string;
  /** Called with the choice. Default: the process emits a warning when there is no wall. */
  readonly onContainment: ((report: ContainmentReport) => void) | undefined;
}

/** The chosen containment and its report. */
export interface ChosenContainment {
  readonly wall: Wall | undefined;
  readonly report: ContainmentReport;
}

const LEVELS: readonly string[] = ["auto", "required", "process"] satisfies readonly Containment[];
let warned = false;

/**
 * Chooses the containment of programs, and reports it to the host.
 *
 * @throws {TypeError} When `containment` is not one of its three values.
 * @throws {NoKernelWallError} When kernel containment is required but not available.
 */
export function chooseContainment({ onContainment, ...choice }: ContainmentChoice): ChosenContainment {
  if (!LEVELS.includes(choice.containment))
    throw new TypeError(`Setting containment: found ${choice.containment}, allowed are ${LEVELS.join(", ")}`);
  const chosen = choose(choice);
  if (onContainment !== undefined) onContainment(chosen.report);
  else if (choice.containment === "auto" && chosen.report.strength === "process") warnOnce(chosen.report);
  return chosen;
}

function choose({
  containment,
  wrap,
  program,
  cwd,
  tempDir,
}: Omit<ContainmentChoice, "onContainment">): ChosenContainment {
  if (wrap !== undefined) {
    const wall = customWall(wrap);
    return { wall, report: { strength: "custom", wall: wall.name, missing: [] } };
  }
  if (containment === "process")
    return { wall: undefined, report: { strength: "process", wall: undefined, missing: ["the host asked for none"] } };
  const { wall, missing } = findWall({ program, identity: programIdentity(cwd), tempDir });
  if (wall === undefined && containment === "required") throw new NoKernelWallError(missing);
  return { wall, report: { strength: wall === undefined ? "process" : "kernel", wall: wall?.name, missing } };
}

function warnOnce({ missing }: ContainmentReport): void {
  if (warned) return;
  warned = true;
  process.emitWarning(
    "Programs run with no wall but Deno's own: a flaw in V8 or Deno gives them the rights of the host",
    {
      type: "ContainmentWarning",
      code: "DISPATCH_NO_KERNEL_WALL",
      detail: missing.join("\n"),
    },
  );
}
