import type { TortureCase } from "./torture-case.ts";
import { approverCases } from "./torture/approvers.ts";
import { hostCases } from "./torture/hosts.ts";
import { observerCases, recorderCases } from "./torture/recorders.ts";
import { returnedCases } from "./torture/returned.ts";
import { sentCallsCases } from "./torture/sent-calls.ts";
import { sentParamsCases } from "./torture/sent-params.ts";
import { signalCases } from "./torture/signals.ts";
import { thenableCases } from "./torture/thenables.ts";
import { thrownCases } from "./torture/thrown.ts";
import { timeoutCases } from "./torture/timeouts.ts";
import { unheldCases } from "./torture/unheld.ts";
import { outputCases, validatorCases } from "./torture/validators.ts";

/**
 * Every way known to us in which a tool, a caller or a host misbehaves. In each the call must settle, must not reject,
 * must tell the model in words, must be recorded once, and must leave nothing unhandled.
 *
 * @example
 * ```ts
 * describe.each(tortureCases)("$about: $name", ({ run }) => {
 *   test("is survived", () => run(dispatchSubject()));
 * });
 * ```
 */
export const tortureCases: readonly TortureCase[] = Object.freeze([
  ...thrownCases,
  ...returnedCases,
  ...unheldCases,
  ...thenableCases,
  ...timeoutCases,
  ...signalCases,
  ...hostCases,
  ...sentParamsCases,
  ...sentCallsCases,
  ...validatorCases,
  ...outputCases,
  ...recorderCases,
  ...observerCases,
  ...approverCases,
]);
