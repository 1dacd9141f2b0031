import { describeIssues, formatPath } from "../error/issue.ts";
import { isJsonObject, jsonOrReason, jsonSnapshot, type JsonValue } from "../json/json.ts";
import type { Repair } from "../repair/repair.ts";
import { failure, isToolResult, type ToolFailure, type ToolResult, withLine } from "../result/tool-result.ts";
import type { CompiledSchema } from "../schema/compiled-schema.ts";
import { beforeStart } from "../wait/before-start.ts";
import { isPending } from "../wait/thenable.ts";
import { askApproval, denied } from "./approval.ts";
import { type CallDecision, type CallPolicy, decide, type DecidedCall } from "./call-policy.ts";
import { asksApproval, type CallableTool } from "./callable-tool.ts";
import { copyPlain } from "./copy-plain.ts";
import type { DurableCall } from "./durable-call.ts";
import type { FittingCall } from "./fit-params.ts";
import { type DefaultedField, resolvedDefaults, withDefaults } from "./resolved-defaults.ts";
import type { RunningCall } from "./running-call.ts";
import type { CallOptions, EditCheck, Tool } from "./tool.ts";

/** The parameters of a permitted call. */
interface Permitted {
  readonly params: unknown;
  /** The edits of the person who approved it; empty for most calls. */
  readonly edits: readonly Repair[];
}

/** The step of a durable call that keeps a person's edits and the defaults they agreed to. */
const AGREED = "approval edits";
const UNEDITED: readonly Repair[] = Object.freeze([]);

/**
 * The parameters with which a call may run: its context is complete, the policy does not deny it, and a person has agreed
 * where needed.
 *
 * @param asks - Whether the tool's own rule asks for approval. `undefined` when context or policy come first.
 */
export async function permit(
  tool: CallableTool,
  { sent, params: given, repairs }: FittingCall,
  asks: boolean | Promise<boolean> | undefined,
  run: RunningCall,
  options: CallOptions,
): Promise<Permitted | ToolFailure> {
  const missing = tool.context && (await missingContext(tool, options, tool.context));
  if (missing !== undefined) return missing;
  const { policy, signal } = options;
  const decided = policy && (await decideParams(policy, tool, given, run, options));
  if (isToolResult(decided)) return decided;
  const { params, byPolicy } = decided ?? { params: given, byPolicy: undefined };
  const asked = asks ?? askedBy(byPolicy) ?? asksApproval(tool.needsApproval, params, run.context);
  const isAsked = typeof asked === "boolean" ? asked : await beforeStart(asked, tool, signal);
  if (isToolResult(isAsked)) return isAsked;
  if (!isAsked) return { params, edits: UNEDITED };
  // Also where the policy asks: a tool's rule may note what a person agrees to.
  const asksToo = askedBy(byPolicy) !== true || (await applyOwnRule(tool, params, run, signal));
  if (isToolResult(asksToo)) return asksToo;
  const call = { sent, params, repairs, byPolicy, asksToo };
  return options.durableCall?.isApproved === true
    ? permitAgain(options.durableCall, tool, call, run, options)
    : permitAsked(tool, call, run, options);
}

/** A call that a person is asked about, as it would run. */
interface AskedCall extends Omit<FittingCall, "ignored"> {
  readonly byPolicy: CallDecision | undefined;
  /** Whether the tool's own rule asks, the policy aside. */
  readonly asksToo: boolean;
}

/**
 * Asks about a call until an answer leaves it as it was shown, or edits it so that nothing asks that had not asked before: a
 * person who agreed to a small payment has not agreed to a large one by writing another number.
 */
async function permitAsked(
  tool: CallableTool,
  call: AskedCall,
  run: RunningCall,
  options: CallOptions,
): Promise<Permitted | ToolFailure> {
  const about = {
    callId: run.callId,
    effectId: run.effectId,
    name: tool.name,
    fingerprint: tool.fingerprint(),
    annotations: tool.annotations,
    parents: options.parents ?? [],
    turn: options.turn,
    context: () => tool.approvalContext?.(run.context),
    check: async (params: unknown): Promise<EditCheck> => {
      const decided = await fitting(tool, { params }, run, options);
      return isToolResult(decided) ? { fits: false, reason: decided.error } : { fits: true, params: decided.params };
    },
  };
  const asked = new Set<string>();
  let shown = call;
  for (;;) {
    const { sent, params, byPolicy, repairs: made } = shown;
    for (const reason of reasonsToAsk(shown)) asked.add(reason);
    const policy = byPolicy?.decision === "ask" && { policy: { rules: byPolicy.rules, reason: byPolicy.reason } };
    const repairs = [...(options.repairs ?? []), ...made];
    const answer = await askApproval({ ...about, sent, params, repairs, ...policy }, options);
    if (isToolResult(answer)) return answer;
    const { edited, defaults } = answer;
    if (edited === undefined) {
      const isEdited = shown !== call;
      if (options.durableCall !== undefined)
        await recordAgreed(options.durableCall, { ...(isEdited && { params: sent }), ...(defaults && { defaults }) });
      return { params: answer.params, edits: isEdited ? editsOf(call.params, answer.params) : UNEDITED };
    }
    const next = await decideEdited(tool, edited, run, options);
    if (isToolResult(next)) return next;
    const edits = editsOf(call.params, next.params);
    if (reasonsToAsk(next).every((reason) => asked.has(reason))) {
      if (options.durableCall !== undefined) {
        const { fields, isExact } = resolvedDefaults(next.sent, next.params);
        await recordAgreed(options.durableCall, { ...edited, ...(isExact && { defaults: fields }) });
      }
      return { params: next.params, edits };
    }
    shown = { ...next, repairs: [...call.repairs, ...edits] };
  }
}

/** Names for everything that asks about a call. */
function reasonsToAsk({ byPolicy, asksToo }: Pick<AskedCall, "byPolicy" | "asksToo">): readonly string[] {
  const rules = byPolicy?.decision === "ask" ? ["policy", ...byPolicy.rules.map((rule) => `rule ${rule}`)] : [];
  return asksToo ? [...rules, "tool"] : rules;
}

function applyOwnRule(
  tool: CallableTool,
  params: unknown,
  { context }: RunningCall,
  signal: AbortSignal | undefined,
): Promise<boolean | ToolFailure> {
  return beforeStart(Promise.resolve(asksApproval(tool.needsApproval, params, context)), tool, signal);
}

interface Agreed {
  readonly params?: unknown;
  readonly defaults?: readonly DefaultedField[];
}

/** An answer of the list of those to one call: only the last one counts, because a call may be asked for more than once. */
type RecordedAnswer = { readonly id: string; readonly agreed?: Agreed };

/** Adds to the answers of a call. Answers what was agreed to last before. */
async function recordAgreed(durable: DurableCall, agreed?: Agreed): Promise<Agreed> {
  const own: RecordedAnswer = { id: crypto.randomUUID(), ...(agreed && { agreed }) };
  let last: Agreed = {};
  for (let count = 1; ; count += 1) {
    const found = await durable.run.step<RecordedAnswer>(`${AGREED} ${count}`, () => own);
    if (found.id === own.id) return last;
    last = found.agreed ?? last;
  }
}

/** A call that was approved before its process died runs with the parameters that the person saw or edited. */
async function permitAgain(
  durable: DurableCall,
  tool: CallableTool,
  { sent, params }: Pick<FittingCall, "sent" | "params">,
  run: RunningCall,
  options: CallOptions,
): Promise<Permitted | ToolFailure> {
  const agreed = await recordAgreed(durable);
  if (agreed.params !== undefined) {
    const edited = await decideEdited(tool, { ...agreed, params: agreed.params }, run, options);
    return isToolResult(edited) ? edited : { params: edited.params, edits: editsOf(params, edited.params) };
  }
  const resolved = agreedDefaults(tool, { sent, params }, agreed.defaults);
  return isToolResult(resolved) ? resolved : { ...resolved, edits: UNEDITED };
}

/** The parameters with the values for fields left out that a person agreed to. */
function agreedDefaults(
  tool: CallableTool,
  { sent, params }: Pick<FittingCall, "sent" | "params">,
  agreed: readonly DefaultedField[] | undefined,
): { readonly params: unknown } | ToolFailure {
  if (agreed === undefined) return { params };
  const resolved = withDefaults(params, resolvedDefaults(sent, params).fields, agreed);
  return resolved === undefined
    ? denied(`${tool.name} was approved with other fields left out than it has now, so it did not run`)
    : { params: resolved };
}

/**
 * A person's edits are validated like a model's parameters, and no person can agree to a call that the policy denies.
 */
async function decideEdited(
  tool: CallableTool,
  edited: Agreed & { readonly params: unknown },
  run: RunningCall,
  options: CallOptions,
): Promise<Omit<AskedCall, "repairs"> | ToolFailure> {
  const decided = await fitting(tool, edited, run, options);
  if (isToolResult(decided)) return decided;
  const { params, byPolicy } = decided;
  const asksToo = byPolicy?.decision !== "allow" && (await applyOwnRule(tool, params, run, options.signal));
  return isToolResult(asksToo) ? asksToo : { sent: edited.params, params, byPolicy, asksToo };
}

/** Edited parameters as they would run, where they fit the tool and its policy. */
async function fitting(
  tool: CallableTool,
  { params: edited, defaults }: Agreed & { readonly params: unknown },
  run: RunningCall,
  options: CallOptions,
): Promise<{ readonly params: unknown; readonly byPolicy: CallDecision | undefined } | ToolFailure> {
  const { policy, signal } = options;
  const check = await beforeStart(Promise.resolve(tool.parameters.validate(edited)), tool, signal);
  if (isToolResult(check)) return check;
  if (check.issues !== undefined || !tool.parameters.namesFields(edited)) {
    return denied(`${tool.name} was approved with edited parameters that do not fit it, so it did not run`);
  }
  const resolved = agreedDefaults(tool, { sent: edited, params: check.value }, defaults);
  if (isToolResult(resolved)) return resolved;
  const decided = policy && (await decideParams(policy, tool, resolved.params, run, options));
  return decided ?? { ...resolved, byPolicy: undefined };
}

async function decideParams(
  policy: CallPolicy,
  tool: CallableTool,
  given: unknown,
  run: RunningCall,
  { parents = [], signal }: CallOptions,
): Promise<{ readonly params: unknown; readonly byPolicy: CallDecision } | ToolFailure> {
  // Read once: a getter or a proxy that answers otherwise the next time is not asked again.
  const params = copyPlain(given);
  let shown: JsonValue | undefined;
  try {
    shown = jsonSnapshot(params);
  } catch {
    // JSON cannot hold them.
  }
  const { name, annotations } = tool;
  const { callId, caller, context } = run;
  const fingerprint = tool.fingerprint();
  const call: DecidedCall = { callId, name, fingerprint, annotations, params: shown, parents, caller, context };
  const byPolicy = await decide(policy, call, tool, signal);
  return isToolResult(byPolicy) ? byPolicy : { params, byPolicy };
}

function askedBy(byPolicy: CallDecision | undefined): boolean | undefined {
  return byPolicy === undefined || byPolicy.decision === "default" ? undefined : byPolicy.decision === "ask";
}

/** The failure of a call whose context does not satisfy the tool's `context` schema. */
async function missingContext(
  { name, timeoutMs }: Pick<Tool, "name" | "timeoutMs">,
  { context, signal }: CallOptions,
  validate: CompiledSchema["validate"],
): Promise<ToolFailure | undefined> {
  const answer = validate(context ?? {});
  const check = isPending(answer) ? await beforeStart(answer, { name, timeoutMs }, signal) : answer;
  if (isToolResult(check)) return check;
  if (check.issues === undefined) return undefined;
  const keys = check.issues.map(({ path }) => formatPath(path)).join(", ");
  return failure(
    describeIssues(
      `Cannot call ${name}: the host gave no usable context for ${keys}`,
      check,
      "This is a fault of the host, not of the call",
    ),
    { code: "missing_context", effects: "none", issues: check.issues },
  );
}

const MAX_VALUE_CHARS = 200;

/** A person's edits to the parameters of a call before they agreed to it, field by field. */
function editsOf(shown: unknown, edited: unknown): readonly Repair[] {
  const [before, after] = [fieldsOf(shown), fieldsOf(edited)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name): Repair[] => {
    const [from, to] = [textOf(before[name]), textOf(after[name])];
    if (from === to) return [];
    return [{ path: [name], kind: "edited", message: `${JSON.stringify(name)} was edited from ${from} to ${to}` }];
  });
}

/** The same result, telling that the call ran with other parameters than the model sent: the host and the model. */
export function withEdits(result: ToolResult, edits: readonly Repair[], params: unknown): ToolResult {
  const line = `The person who approved the call changed it before it ran: ${edits.map(({ message }) => message).join("; ")}`;
  return withLine(result, line, {
    repairs: [...result.repairs, ...edits],
    metadata: { ...result.metadata, editedParams: jsonOrReason(params) },
  });
}

function fieldsOf(params: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(params) ? params : {};
}

function textOf(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(jsonOrReason(value));
  return text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text;
}
