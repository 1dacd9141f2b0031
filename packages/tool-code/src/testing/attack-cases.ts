import type { AttackCase } from "./attack-case.ts";
import { endingCases } from "./attacks/endings.ts";
import { engineCases } from "./attacks/engine.ts";
import { messageCases } from "./attacks/forged-messages.ts";
import { internalCases } from "./attacks/internals.ts";
import { leftoverCases } from "./attacks/leftovers.ts";
import { limitCases } from "./attacks/limits.ts";
import { linkCases } from "./attacks/links.ts";
import { networkCases } from "./attacks/network.ts";
import { processCases } from "./attacks/processes.ts";
import { readingCases } from "./attacks/reading.ts";
import { remoteModuleCases } from "./attacks/remote-modules.ts";
import { builtinCases } from "./attacks/replaced-builtins.ts";
import { staticImportCases } from "./attacks/static-imports.ts";
import { writingCases } from "./attacks/writing.ts";

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
