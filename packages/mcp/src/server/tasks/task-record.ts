import type { CallToolResult } from "@modelcontextprotocol/server";

/** A call that outlives its request, as it is kept. JSON. */
export interface McpTaskRecord {
  /** A client that has it may read, answer and cancel the task: 122 random bits. Also the id of the call. */
  readonly taskId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly lastUpdatedAt: string;
  /** `working` also for a call that asks: its question is the process's that runs it. */
  readonly status: "working" | "completed" | "cancelled" | "failed";
  /** Its progress, or its outcome. */
  readonly statusMessage?: string;
  /** The called tool, by the name that clients know. */
  readonly call: McpTaskCall;
  /** Of a completed one. */
  readonly result?: CallToolResult;
}

/** The call of a task. */
export interface McpTaskCall {
  /** Name of the tool, as the client knows it. */
  readonly name: string;
  /** As they were sent. */
  readonly arguments?: Record<string, unknown>;
}

/** Keeps tasks where they outlive the process. Each is written when it begins and when it ends. */
export interface McpTaskStore {
  /** The task as it was last written. */
  get(taskId: string): Promise<McpTaskRecord | undefined>;
  /** Writes a task, replacing its earlier record. The task exists for clients once this resolves. */
  set(record: McpTaskRecord): Promise<void>;
  /** Forgets a task. */
  delete(taskId: string): Promise<void>;
}

/** How calls become tasks, of the extension `io.modelcontextprotocol/tasks`, for clients that know it. */
export interface McpTaskOptions {
  /** A call that takes longer becomes a task, in milliseconds; one that asks does at once. Default 5,000. */
  readonly afterMs?: number;
  /** How long a task is kept, from its begin, in milliseconds. Then one that runs or waits for a person is cancelled. Default 24 hours. */
  readonly ttlMs?: number;
  /** How often clients should ask, in milliseconds. Default 1,000. */
  readonly pollIntervalMs?: number;
  /** Tasks at the same time, those included that have ended and are kept. Default 1,000. */
  readonly maxTasks?: number;
  /** Where tasks outlive the process. Used by one process at a time. Default: in memory. */
  readonly store?: McpTaskStore;
  /**
   * Begins the calls of a process that died again, with the same id, when a client asks for their task. Only where `dispatch` keeps calls, as
   * with the option `durable`: otherwise they would run twice. Default false: such a task ends with a failure that says so.
   */
  readonly resume?: boolean;
}
