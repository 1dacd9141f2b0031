import type { AttackCase } from "./attack-case.ts";
import { endingCases } from "./endings.ts";
import { engineCases } from "./engine.ts";
import { messageCases } from "./forged-messages.ts";
import { internalCases } from "./internals.ts";
import { leftoverCases } from "./leftovers.ts";
import { limitCases } from "./limits.ts";
import { linkCases } from "./links.ts";
import { networkCases } from "./network.ts";
import { processCases } from "./processes.ts";
import { readingCases } from "./reading.ts";
import { remoteModuleCases } from "./remote-modules.ts";
import { builtinCases } from "./replaced-builtins.ts";
import { staticImportCases } from "./static-imports.ts";
import { writingCases } from "./writing.ts";

/**
 * Every attack known to us in which a program tries to escape its sandbox, to read or change protected data, to deceive
 * the host, or to exceed a limit. The programs are written for Deno and Node.js; if a runtime lacks an API that one
 * uses, the attack fails, as it should. None does harm where it works, beyond using time and memory.
 *
 * @example
 * ```ts
 * const secrets = await plantSecrets();
 * const subject: AttackSubject = { name: "mine", secrets, open: (options) => new MyRuntime(options) };
 * test.each(attackCases)("$topic: $name", ({ run }) => run(subject));
 * afterAll(() => secrets.close());
 * ```
 */
export const attackCases: readonly AttackCase[] = Object.freeze([
  ...readingCases,
  ...staticImportCases,
  ...remoteModuleCases,
  ...writingCases,
  ...linkCases,
  ...networkCases,
  ...processCases,
  ...internalCases,
  ...engineCases,
  ...leftoverCases,
  ...messageCases,
  ...builtinCases,
  ...limitCases,
  ...endingCases,
]);
