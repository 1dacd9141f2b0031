import { isJsonObject } from "@dispatch/tools-interface/internal";
import type { StandardSchemaV1 } from "@modelcontextprotocol/server";
import { CLIENT_CAPABILITIES_META_KEY, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Form } from "../elicitation-approver.ts";
import type { McpTaskRecord } from "./task-record.ts";

/** The extension's name in the capabilities of clients and servers. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** Whether the client of a request knows tasks. Only the request's own declaration counts. */
export function knowsTasks(envelope: Readonly<Record<string, unknown>> | undefined): boolean {
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY];
  const extensions = isJsonObject(capabilities) ? capabilities["extensions"] : undefined;
  return (
    isJsonObject(extensions) && Object.hasOwn(extensions, TASKS_EXTENSION) && isJsonObject(extensions[TASKS_EXTENSION])
  );
}

/** @throws {ProtocolError} With the capability that the client lacks. */
export function refuseWithout(capabilities: Readonly<Record<string, unknown>>): never {
  const message = "Missing required client capability";
  throw new ProtocolError(ProtocolErrorCode.MissingRequiredClientCapability, message, {
    requiredCapabilities: capabilities,
  });
}

/** @throws {ProtocolError} The same for a guessed id and one that was forgotten. */
export function refuseUnknown(): never {
  const why = "Cannot find the task: there is none with this id, or it is too old. Call the tool anew";
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, why);
}

/** The fields of a task beside its record. */
export interface TaskTimes {
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
}

/** The answer to `tools/call` in place of a result. */
export function toCreated(record: McpTaskRecord, times: TaskTimes, status = record.status as string): WireTask {
  const { taskId, createdAt, lastUpdatedAt, statusMessage } = record;
  const about = { taskId, status, createdAt, lastUpdatedAt, ...times };
  return { resultType: "task", ...about, ...(statusMessage !== undefined && { statusMessage }) };
}

/** The answer to `tasks/get`. */
export function toDetailed(record: McpTaskRecord, times: TaskTimes, questions: ReadonlyMap<string, Form>): WireTask {
  const isAsking = record.status === "working" && questions.size > 0;
  const created = toCreated(record, times, isAsking ? "input_required" : record.status);
  const asked = [...questions].map(([key, form]) => [key, toRequest(form)] as const);
  return {
    ...created,
    resultType: "complete",
    ...(isAsking && { inputRequests: Object.fromEntries(asked) }),
    ...(record.result && { result: { resultType: "complete", ...record.result } }),
    ...(record.status === "failed" && {
      error: { code: ProtocolErrorCode.InternalError, message: record.statusMessage ?? "The call failed" },
    }),
  };
}

/** A result on the wire. */
export type WireTask = Record<string, unknown>;

function toRequest(form: Form): object {
  return { method: "elicitation/create", params: { mode: "form", ...form } };
}

/** The params of every request about a task. */
export const TASK_PARAMS: StandardSchemaV1<unknown, { readonly taskId: string }> = {
  "~standard": {
    version: 1,
    vendor: "dispatch",
    validate(value) {
      const taskId = isJsonObject(value) ? value["taskId"] : undefined;
      return typeof taskId === "string"
        ? { value: { taskId } }
        : { issues: [{ message: "taskId is no text", path: ["taskId"] }] };
    },
  },
};
