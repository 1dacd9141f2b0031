import type { CallableTool } from "../call/callable-tool.ts";
import { withRetries } from "../call/execute-tool.ts";
import { validateParams } from "../call/fit-params.ts";
import { CHECKED } from "../call/host-options.ts";
import type { RunningCall } from "../call/running-call.ts";
import type { ToolAnnotations } from "../call/tool-annotations.ts";
import type {
  AnyTool,
  ApprovalRequest,
  Approver,
  CallOptions,
  Tool,
  ToolDefinition,
  Validation,
} from "../call/tool.ts";
import { checkOptions } from "../error/check-options.ts";
import { canonicalText, jsonOrReason, type JsonSchema, toJsonText } from "../json/json.ts";
import { sha256 } from "../json/sha256.ts";
import type { RepairPolicy } from "../repair/repair.ts";
import { DEFAULT_MAX_OUTPUT_CHARS } from "../result/limit-output.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { callTool } from "../run-call.ts";
import type { SchemaChange } from "../schema/older-drafts.ts";
import { compileCheck, compileSchema, type InferInput, type InferOutput, type Schema } from "../schema/schema.ts";
import { isPending, isThenable } from "../wait/thenable.ts";
import { checkSpec } from "./check-spec.ts";
import type { AnySpec, ContextOf, DataOf, ToolSpec } from "./tool-spec.ts";

/** Default timeout of a tool, in milliseconds, unless its spec sets `timeoutMs`. */
const DEFAULT_TIMEOUT_MS = 120_000;
const NO_ANNOTATIONS: ToolAnnotations = Object.freeze({});
const NOTHING = Object.freeze({});
const NONE = Object.freeze([]);
const NO_OPTIONS = Object.freeze({ "~checked": CHECKED }) as CallOptions;
const brand = Symbol.for("@dispatch/tools-interface.Tool");

class DefinedTool implements Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly output: JsonSchema | undefined;
  readonly annotations: ToolAnnotations;
  readonly approval: Tool["approval"];
  readonly timeoutMs: number;
  readonly maxOutputChars: number;
  readonly repair: RepairPolicy;
  readonly definition: ToolDefinition;
  readonly declaresChanges: boolean;
  readonly schemaChanges: readonly SchemaChange[];
  readonly #callable: CallableTool;
  #resource: AnySpec["resource"];
  #fingerprint: string | undefined;

  constructor(spec: AnySpec) {
    checkSpec(spec);
    const { name, description, annotations = NO_ANNOTATIONS, timeoutMs = DEFAULT_TIMEOUT_MS, retries = 0 } = spec;
    const { destructive = false } = annotations;
    const { repair = destructive ? "off" : "safe", needsApproval = destructive } = spec;
    const parameters = compileSchema(spec.parameters, `parameters of ${name}`, "input");
    const output = spec.output === undefined ? undefined : compileSchema(spec.output, `output of ${name}`, "output");
    const context = spec.context === undefined ? undefined : compileCheck(spec.context, `context of ${name}`);
    const execute = (params: unknown, run: RunningCall): unknown => spec.execute(params, run);
    this.name = name;
    this.description = description;
    this.parameters = spelledOut(parameters.jsonSchema);
    this.output = output?.jsonSchema;
    this.schemaChanges = Object.freeze([...(parameters.changes ?? []), ...(output?.changes ?? [])]);
    this.annotations = Object.freeze({ ...annotations });
    this.approval = typeof needsApproval === "function" ? "sometimes" : needsApproval ? "always" : "never";
    this.timeoutMs = timeoutMs;
    this.maxOutputChars = spec.maxOutputChars ?? DEFAULT_MAX_OUTPUT_CHARS;
    this.repair = repair;
    this.definition = Object.freeze({ name, description, parameters: this.parameters });
    this.declaresChanges =
      annotations.readOnly === false || destructive || spec.resource !== undefined || needsApproval !== false;
    this.#resource = spec.resource && ((params) => spec.resource?.(params) ?? []);
    this.#callable = {
      name,
      description,
      annotations: this.annotations,
      timeoutMs,
      maxOutputChars: this.maxOutputChars,
      repair,
      needsApproval,
      approvalContext: spec.approvalContext && ((given) => spec.approvalContext?.(given)),
      execute: retries > 0 ? withRetries(execute, retries) : execute,
      parameters,
      translate: spec.translate && ((sent) => spec.translate?.(sent)),
      output,
      context,
      fingerprint: () => this.fingerprint,
      reconcile: spec.reconcile && ((params, run) => spec.reconcile?.(params, run)),
      resumable: spec.resumable === true,
      invalidParams: undefined,
    };
    Object.freeze(this);
  }

  get [brand](): true {
    return true;
  }

  /**
   * Of definition and output schema as they go out, so that another order of their keys counts too, and of the annotations. The
   * code is not covered: it has no stable form.
   */
  get fingerprint(): string {
    const { name, description, parameters, output = null, annotations } = this;
    return (this.#fingerprint ??= sha256(
      toJsonText([name, description, parameters, output, canonicalText(jsonOrReason(annotations))]),
    ));
  }

  validate(params: unknown): Promise<Validation> {
    return validateParams(this.#callable, params);
  }

  async approvalRequest(
    params: unknown,
    options: Parameters<Tool["approvalRequest"]>[1] = {},
  ): Promise<ApprovalRequest | undefined> {
    checkOptions("ask for an approval request", options, { callId: true, context: true });
    let asked: ApprovalRequest | undefined;
    const approve: Approver = (request) => {
      asked = request;
      return false;
    };
    const { callId, context } = options;
    const given = { callId, context: context as object, approve };
    await callTool({ ...this.#callable, execute: () => "", output: undefined }, params, given);
    return asked;
  }

  /** Unknown too where the parameters need repair, or their check takes longer. */
  resources(params: unknown): readonly string[] | undefined {
    if (this.#resource === undefined) return undefined;
    try {
      const check = this.#callable.parameters.validate(params);
      if (isPending(check)) {
        check.then(undefined, () => {});
        return undefined;
      }
      if (check.issues !== undefined) return undefined;
      const keys: unknown = this.#resource(check.value);
      if (isThenable(keys)) {
        // What it waits for may be calls of its own tool, each of which would ask it again, without end.
        this.#resource = undefined;
        keys.then(undefined, () => {});
        return undefined;
      }
      const list = typeof keys === "string" ? [keys] : keys;
      return Array.isArray(list) && list.every((key) => typeof key === "string") ? list : undefined;
    } catch {
      return undefined;
    }
  }

  call(params: unknown, options: CallOptions = NO_OPTIONS): Promise<ToolResult> {
    return callTool(this.#callable, params, options);
  }
}

/** True for a tool made by {@link defineTool}, of any installed copy of this package. Never throws. */
export function isTool(value: unknown): value is AnyTool {
  try {
    return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[brand] === true;
  } catch {
    return false;
  }
}

/** Providers take `properties` and `required` spelled out even when they are empty. */
function spelledOut({ type, properties = NOTHING, required = NONE, ...rest }: JsonSchema): JsonSchema {
  return Object.freeze({ type, properties, required, ...rest });
}

/**
 * Defines a tool. Types of parameters, data and context follow from the schemas.
 *
 * @throws {InvalidToolError} When the name, the description, a limit or a schema cannot be used.
 *
 * @example
 * ```ts
 * const add = defineTool({
 *   name: "add",
 *   description: "Adds two numbers.",
 *   parameters: z.object({ a: z.number(), b: z.number() }),
 *   execute: ({ a, b }) => `${a + b}`,
 * });
 * ```
 */
export function defineTool<
  const Name extends string,
  const Parameters extends Schema,
  const Output extends Schema | undefined = undefined,
  Context extends Schema | undefined = undefined,
  Returned = unknown,
>(
  spec: ToolSpec<Name, Parameters, Output, Context, Returned>,
): Tool<Name, InferInput<Parameters>, DataOf<Output, Returned>, ContextOf<Context>, InferOutput<Parameters>> {
  return new DefinedTool(spec as unknown as AnySpec) as never;
}
