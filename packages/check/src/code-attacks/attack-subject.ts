import type { PlantedSecrets } from "./planted-secrets.ts";

/** A program of an attack. Untrusted. */
export interface AttackProgram {
  /** TypeScript. */
  readonly code: string;
  /** Functions the program can call, appended to it. */
  readonly stubs?: string;
  /** Runs the program's tool calls. */
  readonly callTool: (
    name: string,
    params: unknown,
    options: { readonly signal: AbortSignal; readonly keep?: (bytes: number) => boolean },
  ) => Promise<unknown>;
  /** Cancels the program. */
  readonly signal?: AbortSignal;
  /** Limits in place of the runtime's own, by their names: `wallMs`, `heapMb`, `outputBytes`, … */
  readonly limits?: Readonly<Record<string, number>>;
  /** Receives what the program prints. */
  readonly onOutput?: (text: string) => void;
}

/** How a program ended. Plain data. */
export interface AttackOutcome {
  /** Whether the program ran to its end. */
  readonly ok: boolean;
  /** Its return value. */
  readonly value: unknown;
  /** Its printed output. */
  readonly output: string;
  /** Why it failed: `timeout`, `memory`, `permission`, …, and for a model to read. */
  readonly error: { readonly kind: string; readonly message: string } | undefined;
  /** The tool calls it made. */
  readonly calls: readonly { readonly name: string; readonly status: string }[];
}

/** A sandbox under attack. */
export interface AttackedRuntime {
  /** Runs a program to its end, or until a limit ends it. */
  execute(program: AttackProgram): Promise<AttackOutcome>;
  /** Ends everything. */
  close(): Promise<void>;
}

/** The resources that the runtime of a case may let programs access. */
export interface AttackRuntimeOptions {
  /** Real path of the only directory programs may access, and their working directory. Default none. */
  readonly cwd?: string;
  /** Whether they may only read there. Default false. */
  readonly readOnly?: boolean;
  /** Hosts they may reach, each with a port. Default none. */
  readonly allowedHosts?: readonly string[];
  /** Where the runtime puts its temporary files. */
  readonly tempDir: string;
}

/** A way to run programs, as the attacks see it. */
export interface AttackSubject {
  /** Name of the runtime. */
  readonly name: string;
  /** The values that the runtime must not reveal. A subject runs one case at a time. */
  readonly secrets: PlantedSecrets;
  /**
   * Globals that programs do not have there, such as `Deno`. A program that uses one and fails because it is missing has
   * got nowhere, and its case holds. Default none.
   */
  readonly lacks?: readonly string[];
  /** Makes a runtime, which the case closes. Throws `NotOfferedError` when the runtime does not support the options. */
  open(options: AttackRuntimeOptions): AttackedRuntime | Promise<AttackedRuntime>;
}
