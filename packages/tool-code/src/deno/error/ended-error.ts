import type { CodeLimits } from "../../code-limits.ts";
import type { CodeError, CodeErrorKind } from "../../code-outcome.ts";
import { unsettledError } from "../../run/program-error.ts";
import type { ProcessUsage } from "../process/process-usage.ts";

const MIB = 1024 * 1024;
/** Deno starts about 20, and up to 512 more for work with files that blocks. Each takes memory of the kernel. */
const MAX_THREADS = 640;

/** The configuration a program ran with. */
interface Ran {
  readonly code: string;
  readonly limits: Pick<CodeLimits, "rssMb" | "diskMb" | "cpuMs">;
  /** The limit of its heap, in MiB. */
  readonly heapMb: number;
}

/**
 * Explains why a program's process ended before the program did.
 *
 * @param signal - The signal that ended it, `null` if it ended by itself.
 * @param errorText - The end of its standard error output.
 */
export function endedError(signal: string | null, errorText: string, { code, limits, heapMb }: Ran): CodeError {
  if (
    /heap out of memory|Fatal (?:JavaScript|process) out of memory|memory allocation of \d+ bytes failed/.test(
      errorText,
    )
  ) {
    return fault("memory", `the program's heap went over ${heapMb} MiB, or its memory over ${limits.rssMb} MiB`);
  }
  if (signal === "SIGXFSZ") return diskError(limits);
  if (signal === "SIGXCPU") return fault("timeout", `the program used more than ${limits.cpuMs} ms of processor time`);
  // Deno itself names the await that keeps a module from ending.
  if (/Top-level await promise never resolved/.test(errorText)) return unsettledError(code);
  return fault("exit", `the program's process ended before the program did${signal === null ? "" : `, by ${signal}`}`);
}

/** The program wrote more than it may. */
export function diskError({ diskMb }: Pick<CodeLimits, "diskMb">): CodeError {
  return fault("disk", `the program added more than ${diskMb} MiB to the disk`);
}

/**
 * The memory limit: decides whether a program must be ended for its memory, and explains why.
 *
 * @param heldBytes - Memory that the kernel may hold for it.
 */
export function memoryFault(
  { rssBytes, threads }: ProcessUsage,
  heldBytes: number,
  { rssMb }: Pick<CodeLimits, "rssMb">,
): string | undefined {
  if (rssBytes + heldBytes > rssMb * MIB) return `the program's process used more than ${rssMb} MiB`;
  return threads > MAX_THREADS ? `the program's process started more than ${MAX_THREADS} threads` : undefined;
}

function fault(kind: CodeErrorKind, message: string): CodeError {
  return { kind, message, stack: [] };
}
