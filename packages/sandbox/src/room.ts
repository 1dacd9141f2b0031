import { realpathSync } from "node:fs";
import { OrphanGuard } from "./process/orphan-guard.ts";
import { makeDirectory, removeDirectory, removeLeftDirectories } from "./process/remove-directory.ts";
import { RoomProcess } from "./process/room-process.ts";
import { chooseContainment, type ContainmentChoice } from "./wall/choose-containment.ts";
import type { ContainmentReport } from "./wall/containment.ts";

/** Options of {@link openRoom}. */
export interface RoomOptions extends Omit<ContainmentChoice, "cwd"> {
  /** Real path of the only directory of the host that is in the room. `undefined` for none. */
  readonly directory: string | undefined;
  /** Whether that directory may be changed. */
  readonly writes: boolean;
  /** Whether any host may be reached. */
  readonly network: boolean;
}

/** A room of the kernel for processes of one program. */
export interface Room {
  /** Which containment is in use, and why no stronger one is. */
  readonly report: ContainmentReport;
  /**
   * Starts the program. Each process has a temporary directory of its own.
   *
   * @throws {Error} When the process or its directory cannot be created.
   */
  spawn(args: readonly string[]): RoomProcess;
  /** Ends all processes. Resolves when they are gone. */
  close(): Promise<void>;
}

/**
 * Opens a room: with the strongest wall that the system allows around it. What killed hosts left is removed.
 *
 * @throws {TypeError} When `containment` is not one of its three values.
 * @throws {NoKernelWallError} When kernel containment is required and a part of it cannot be had.
 *
 * @example
 * ```ts
 * const access = { directory: "/srv/work", writes: false, network: false, tempDir: "/tmp" };
 * const program = { program: "/usr/bin/deno", trial: ["--version"], environment: () => ({}) };
 * const host = { containment: "auto", wrap: undefined, onContainment: undefined } as const;
 * const room = openRoom({ ...access, ...program, ...host });
 * const process = room.spawn(["run", "-"]);
 * await process.gone;
 * await room.close();
 * ```
 */
export function openRoom({ directory: cwd, writes, network, ...choice }: RoomOptions): Room {
  const { program, environment, tempDir } = choice;
  const { wall, report } = chooseContainment({ ...choice, cwd });
  const guard = new OrphanGuard();
  const processes = new Set<RoomProcess>();
  void removeLeftDirectories(tempDir);
  return {
    report,
    spawn(args) {
      assertUnmoved(cwd);
      const directory = makeDirectory(tempDir);
      try {
        const access = { directory, cwd, readOnly: !writes, network };
        const process = new RoomProcess({ wall, guard, program, args, env: environment(directory), access });
        processes.add(process);
        void process.gone.then(() => processes.delete(process));
        return process;
      } catch (error) {
        void removeDirectory(directory);
        throw error;
      }
    },
    async close() {
      for (const process of processes) process.kill();
      await Promise.all([...processes].map(({ gone }) => gone));
      guard.close();
    },
  };
}

/**
 * Containment mounts the directory found at the path when it is made. Anyone who may write beside the directory can put
 * a link in its place.
 *
 * @throws {Error} When the path leads elsewhere.
 */
function assertUnmoved(cwd: string | undefined): void {
  if (cwd !== undefined && realpathSync(cwd) !== cwd)
    throw new Error("Granting the working directory: found a link in its path, allowed is the directory it was");
}
