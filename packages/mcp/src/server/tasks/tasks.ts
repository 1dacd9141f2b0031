import { randomUUID } from "node:crypto";
import { isJsonObject } from "@dispatch/tools-interface/internal";
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  type StandardSchemaV1,
} from "@modelcontextprotocol/server";
import type { Elicit, Form, FormAnswer } from "../elicitation-approver.ts";
import type { TellProgress } from "../progress-reporter.ts";
import type { CallerSide, Work } from "../suspended-calls.ts";

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

/** The parts of a request for the call that may become a task. */
export interface TaskRequest extends Pick<CallerSide, "signal" | "tell" | "meta"> {
  readonly call: McpTaskCall;
}

/** A question of a call to a person. */
interface Question {
  readonly form: Form;
  readonly resolve: (answer: FormAnswer) => void;
}

/** A call whose task is known here. */
interface Task {
  record: McpTaskRecord;
  readonly control: AbortController;
  /** Open ones. A key is never used again. */
  readonly questions: Map<string, Question>;
  asked: number;
  /** Whether clients know of it. */
  isTask: boolean;
  /** Reports to the request that is open, if one is. */
  tell: TellProgress;
  /** Called at a question. */
  wake: () => void;
  lapse: NodeJS.Timeout | undefined;
  /** Ends with the last written record. */
  written: Promise<void>;
}

const DEFAULT_AFTER_MS = 5_000;
const DEFAULT_TTL_MS = 24 * 60 * 60_000;
const DEFAULT_POLL_INTERVAL_MS = 1_000;
export const DEFAULT_MAX_TASKS = 1_000;
const MAX_MESSAGE_CHARS = 500;
/** As `randomUUID` makes them. */
const TASK_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const GONE =
  "The server ended while this call ran. Whether it took effect is not known: look before you call the tool again";

/** Calls that may outlive their requests, for clients that know the tasks extension. */
export class Tasks {
  readonly #options: McpTaskOptions;
  readonly #ttlMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #tasks = new Map<string, Task>();
  #closed = false;

  constructor(options: McpTaskOptions, onError: (error: unknown) => void) {
    this.#options = options;
    this.#ttlMs = options.ttlMs ?? DEFAULT_TTL_MS;
    this.#onError = onError;
  }

  /** Runs a call: answers its result if that comes soon, or its task. Only until then does the end of the request cancel it. */
  async begin({ call, signal, tell, meta }: TaskRequest, work: Work): Promise<CallToolResult | WireTask> {
    const { afterMs = DEFAULT_AFTER_MS, maxTasks = DEFAULT_MAX_TASKS } = this.#options;
    if (this.#tasks.size >= maxTasks && !this.#forgetOldest()) {
      return failed(`Cannot run ${call.name} now: ${maxTasks} tasks are open. Try again later`);
    }
    const now = new Date().toISOString();
    const task = this.#add({ taskId: randomUUID(), createdAt: now, lastUpdatedAt: now, status: "working", call });
    task.tell = (count, message) => {
      this.#note(task, message);
      tell(count, message);
    };
    const stop = (): void => task.control.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    let timer: NodeJS.Timeout | undefined;
    const long = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), afterMs).unref();
      task.wake = () => resolve(undefined);
    });
    const done = this.#run(task, work, meta);
    try {
      const result = await Promise.race([done, long]);
      if (result !== undefined) {
        this.#tasks.delete(task.record.taskId);
        return result;
      }
    } catch (error) {
      this.#tasks.delete(task.record.taskId);
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
    task.isTask = true;
    task.tell = (_, message) => this.#note(task, message);
    task.lapse = this.#lapseOf(task);
    const created = this.#write(task);
    this.#follow(task, done);
    await created;
    return { ...this.#toWire(task), resultType: "task" };
  }

  /**
   * The task in its present state.
   *
   * @param workOf - The work of a call, to begin it again.
   * @throws {ProtocolError} When there is none.
   */
  async get(taskId: string, workOf: (call: McpTaskCall) => Work): Promise<WireTask> {
    const task = this.#find(taskId) ?? (await this.#fromStore(taskId, workOf)) ?? refuseUnknown();
    const { record, questions } = task;
    const asked = [...questions].map(([key, { form }]) => {
      return [key, { method: "elicitation/create", params: { mode: "form", ...form } }] as const;
    });
    return {
      ...this.#toWire(task),
      resultType: "complete",
      ...(record.status === "working" && asked.length > 0 && { inputRequests: Object.fromEntries(asked) }),
      ...(record.result && { result: { resultType: "complete", ...record.result } }),
      ...(record.status === "failed" && {
        error: { code: ProtocolErrorCode.InternalError, message: record.statusMessage ?? "The call failed" },
      }),
    };
  }

  #toWire({ record, questions }: Task): WireTask {
    const { taskId, status, createdAt, lastUpdatedAt, statusMessage } = record;
    return {
      taskId,
      status: status === "working" && questions.size > 0 ? "input_required" : status,
      createdAt,
      lastUpdatedAt,
      ttlMs: this.#ttlMs,
      pollIntervalMs: this.#options.pollIntervalMs ?? DEFAULT_POLL_INTERVAL_MS,
      ...(statusMessage !== undefined && { statusMessage }),
    };
  }

  /** Answers open questions, by their keys. Others are ignored, as answers are that were given before. */
  update(taskId: string, responses: Readonly<Record<string, unknown>>): void {
    const { questions } = this.#find(taskId) ?? refuseUnknown();
    for (const key of Object.keys(responses)) {
      const question = questions.get(key);
      if (question === undefined) continue;
      questions.delete(key);
      const view = inputResponse({ ...responses }, key);
      question.resolve(view.kind === "elicit" ? view : { action: "cancel" });
    }
  }

  /** Asks a call to end. Its outcome is in the task. */
  cancel(taskId: string): void {
    (this.#find(taskId) ?? refuseUnknown()).control.abort(new Error("the client cancelled the task"));
  }

  /** Ends every call. Those that are begun again by the next process stay open in the store. */
  close(): void {
    this.#closed = true;
    for (const { control, lapse } of this.#tasks.values()) {
      clearTimeout(lapse);
      control.abort(new Error("the server ends"));
    }
  }

  #find(taskId: string): Task | undefined {
    const task = this.#tasks.get(taskId);
    return task?.isTask === true ? task : undefined;
  }

  /** A task that another process began. */
  async #fromStore(taskId: string, workOf: (call: McpTaskCall) => Work): Promise<Task | undefined> {
    // A store may make a file's name or a query of it.
    if (!TASK_ID.test(taskId)) return undefined;
    const record = await this.#options.store?.get(taskId);
    const known = this.#find(taskId);
    if (known !== undefined || record === undefined) return known;
    if (Date.parse(record.createdAt) + this.#ttlMs <= Date.now()) {
      await this.#options.store?.delete(taskId);
      return undefined;
    }
    const task = this.#add(record);
    task.isTask = true;
    task.lapse = this.#lapseOf(task);
    if (record.status !== "working") return task;
    if (this.#options.resume === true) {
      task.tell = (_, message) => this.#note(task, message);
      this.#follow(task, this.#run(task, workOf(record.call), {}, true));
    } else this.#end(task, { status: "completed", statusMessage: GONE, result: failed(GONE) });
    return task;
  }

  #add(record: McpTaskRecord): Task {
    const task: Task = {
      record,
      control: new AbortController(),
      questions: new Map(),
      asked: 0,
      isTask: false,
      tell: () => {},
      wake: () => {},
      lapse: undefined,
      written: Promise.resolve(),
    };
    this.#tasks.set(record.taskId, task);
    return task;
  }

  async #run(task: Task, work: Work, meta: CallerSide["meta"], isResumed = false): Promise<CallToolResult> {
    const { control, record, questions } = task;
    const elicit: Elicit = (form, signal, name = "question") =>
      new Promise((resolve) => {
        const key = `${name}-${(task.asked += 1)}`;
        const end = (answer: FormAnswer): void => {
          if (questions.get(key)?.resolve === end) questions.delete(key);
          signal.removeEventListener("abort", cancel);
          this.#change(task, {});
          resolve(answer);
        };
        const cancel = (): void => end({ action: "cancel" });
        signal.addEventListener("abort", cancel, { once: true });
        questions.set(key, { form, resolve: end });
        this.#change(task, {});
        task.wake();
      });
    const tell: TellProgress = (...report) => task.tell(...report);
    const { taskId: callId } = record;
    return work({ elicit, signal: control.signal, tell, meta, callId, isResumed, patienceMs: this.#ttlMs });
  }

  /** Keeps the outcome of a call. */
  #follow(task: Task, done: Promise<CallToolResult>): void {
    done.then(
      (result) => {
        // A call that was done before it could be cancelled is done.
        if (!task.control.signal.aborted || result.isError !== true)
          return this.#end(task, { status: "completed", result });
        const [part] = result.content;
        const text = part?.type === "text" ? part.text : "";
        this.#end(task, { status: "cancelled", statusMessage: text.slice(0, MAX_MESSAGE_CHARS) });
      },
      (error: unknown) => {
        this.#onError(error);
        this.#end(task, { status: "failed", statusMessage: "The server failed" });
      },
    );
  }

  #end(task: Task, end: Partial<McpTaskRecord>): void {
    task.questions.clear();
    this.#change(task, end);
    // The first of the map is the one that ended first.
    const { taskId } = task.record;
    if (this.#tasks.delete(taskId)) this.#tasks.set(taskId, task);
    if (!this.#closed || this.#options.resume !== true) void this.#write(task).catch(this.#onError);
  }

  #note(task: Task, message: string): void {
    this.#change(task, { statusMessage: message.slice(0, MAX_MESSAGE_CHARS) });
  }

  #change(task: Task, change: Partial<McpTaskRecord>): void {
    task.record = { ...task.record, ...change, lastUpdatedAt: new Date().toISOString() };
  }

  /** Writes one after the other. */
  #write(task: Task): Promise<void> {
    const { store } = this.#options;
    if (store === undefined) return Promise.resolve();
    const { record } = task;
    task.written = task.written.catch(() => {}).then(() => store.set(record));
    return task.written;
  }

  #lapseOf(task: Task): NodeJS.Timeout {
    const { taskId, createdAt } = task.record;
    const leftMs = Date.parse(createdAt) + this.#ttlMs - Date.now();
    const lapse = (): void => {
      task.control.abort(new Error("the task is too old"));
      this.#tasks.delete(taskId);
      this.#options.store?.delete(taskId).catch(this.#onError);
    };
    return setTimeout(lapse, Math.min(leftMs, MAX_TIMER_MS)).unref();
  }

  /** Makes room by the task that ended the longest ago. */
  #forgetOldest(): boolean {
    for (const [taskId, { isTask, record, lapse }] of this.#tasks) {
      if (!isTask || record.status === "working") continue;
      clearTimeout(lapse);
      this.#tasks.delete(taskId);
      this.#options.store?.delete(taskId).catch(this.#onError);
      return true;
    }
    return false;
  }
}

/** Longer timers end at once. */
const MAX_TIMER_MS = 2_147_483_647;

function failed(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/**
 * Answers `tasks/get`, `tasks/update` and `tasks/cancel`. The task's id is the grant: any client that got it, from this
 * server or from the client that did, may read, answer and cancel the task.
 *
 * @param canAsk - Whether the client of a request can ask its user.
 * @param workOf - The work of a call that is begun again.
 */
export function serveTasks(
  server: Server,
  tasks: Tasks,
  canAsk: (context: ServerContext) => boolean,
  workOf: (call: McpTaskCall, context: ServerContext) => Work,
): void {
  const schemas = { params: TASK_PARAMS };
  const check = ({ mcpReq }: ServerContext): void => {
    if (!knowsTasks(mcpReq.envelope)) refuseWithout({ extensions: { [TASKS_EXTENSION]: {} } });
  };
  server.setRequestHandler("tasks/get", schemas, ({ taskId }, context) => {
    check(context);
    return tasks.get(taskId, (call) => workOf(call, context));
  });
  server.setRequestHandler("tasks/update", schemas, ({ taskId }, context) => {
    check(context);
    // Only a client that has a user may speak for one.
    if (!canAsk(context)) refuseWithout({ elicitation: {} });
    tasks.update(taskId, context.mcpReq.inputResponses ?? {});
    return {};
  });
  server.setRequestHandler("tasks/cancel", schemas, ({ taskId }, context) => {
    check(context);
    tasks.cancel(taskId);
    return {};
  });
}

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
function refuseWithout(capabilities: Readonly<Record<string, unknown>>): never {
  const message = "Missing required client capability";
  throw new ProtocolError(ProtocolErrorCode.MissingRequiredClientCapability, message, {
    requiredCapabilities: capabilities,
  });
}

/** @throws {ProtocolError} The same for a guessed id and one that was forgotten. */
function refuseUnknown(): never {
  const why = "Cannot find the task: there is none with this id, or it is too old. Call the tool anew";
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, why);
}

/** A result on the wire. */
export type WireTask = Record<string, unknown>;

/** The params of every request about a task. */
const TASK_PARAMS: StandardSchemaV1<unknown, { readonly taskId: string }> = {
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
