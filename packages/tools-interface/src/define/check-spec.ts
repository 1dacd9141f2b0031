import type { ToolAnnotations } from "../call/tool-annotations.ts";
import { unknownOption, type OptionNames } from "../error/check-options.ts";
import { InvalidToolError } from "../error/tool-error.ts";
import type { AnySpec } from "./tool-spec.ts";

const NAME = /^[A-Za-z0-9_./-]{1,128}$/;
/** Longest delay a timer can hold. */
const MAX_TIMEOUT_MS = 2_147_483_647;
const MAX_RETRIES = 10;
const NAMES: OptionNames<AnySpec> = {
  name: true,
  description: true,
  parameters: true,
  output: true,
  context: true,
  annotations: true,
  needsApproval: true,
  approvalContext: true,
  timeoutMs: true,
  retries: true,
  resource: true,
  maxOutputChars: true,
  repair: true,
  translate: true,
  reconcile: true,
  resumable: true,
  execute: true,
};
const ANNOTATIONS: OptionNames<ToolAnnotations> = {
  readOnly: true,
  destructive: true,
  idempotent: true,
  openWorld: true,
};

/**
 * Refuses a specification that no tool can be made of; schemas are checked when they are compiled.
 *
 * @throws {InvalidToolError} With the value found and the values allowed.
 */
export function checkSpec(given: AnySpec): void {
  const { name, description, timeoutMs, retries, maxOutputChars, ...spec } = given;
  if (typeof name !== "string" || !NAME.test(name)) {
    throw new InvalidToolError(
      `Cannot define a tool named ${JSON.stringify(name)}: allowed are 1 to 128 letters, digits, "_", "-", "." and "/"`,
    );
  }
  const refuse = (what: string): never => {
    throw new InvalidToolError(`Cannot define ${name}: ${what}`);
  };
  if (typeof description !== "string" || description.trim() === "") {
    refuse("it needs a description, which is all a model knows of it");
  }
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)) {
    refuse(`timeoutMs is ${timeoutMs}, allowed are 1 to ${MAX_TIMEOUT_MS}`);
  }
  if (maxOutputChars !== undefined && !(typeof maxOutputChars === "number" && maxOutputChars >= 1)) {
    refuse(`maxOutputChars is ${maxOutputChars}, allowed are 1 or more`);
  }
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0 && retries <= MAX_RETRIES)) {
    refuse(`retries is ${retries}, allowed are 0 to ${MAX_RETRIES}`);
  }
  const { repair, annotations, needsApproval } = spec;
  if (repair !== undefined && repair !== "safe" && repair !== "lenient" && repair !== "off") {
    refuse(`repair is ${JSON.stringify(repair)}, allowed are "safe", "lenient" and "off"`);
  }
  for (const key of ["defer", "callers"]) {
    if (key in spec) refuse(`it has ${key}, which is an option of register: register(tool, { ${key} })`);
  }
  const unknown = unknownOption(given, NAMES);
  if (unknown !== undefined) refuse(unknown);
  for (const key of ["execute", "approvalContext", "translate", "reconcile", "resource"] as const) {
    const isAbsent = spec[key] === undefined && key !== "execute";
    if (!isAbsent && typeof spec[key] !== "function") refuse(`${key} is not a function`);
  }
  if (needsApproval !== undefined && typeof needsApproval !== "boolean" && typeof needsApproval !== "function") {
    refuse(`needsApproval is a ${typeof needsApproval}, allowed are a boolean and a function of the parameters`);
  }
  const unknownHint = unknownOption(annotations ?? {}, ANNOTATIONS);
  if (unknownHint !== undefined) refuse(`among its annotations ${unknownHint}`);
  const { readOnly, destructive, idempotent } = annotations ?? {};
  if (readOnly && destructive) refuse("its annotations say readOnly and destructive, allowed is one of them");
  if (retries && !readOnly && !idempotent) {
    refuse(
      "it has retries, allowed only where the annotations say readOnly or idempotent: a second try would act twice",
    );
  }
}
