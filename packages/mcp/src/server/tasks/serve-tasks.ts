import type { Server, ServerContext } from "@modelcontextprotocol/server";
import type { Work } from "../suspended-calls.ts";
import type { McpTaskCall } from "./task-record.ts";
import type { Tasks } from "./tasks.ts";
import { knowsTasks, refuseWithout, TASK_PARAMS, TASKS_EXTENSION } from "./wire-task.ts";

/** The parts of their connection that requests about tasks need. */
interface TaskSide {
  /** Whether the client of a request can ask its user. */
  readonly canAsk: (context: ServerContext) => boolean;
  /** The work of a call that is begun again. */
  readonly workOf: (call: McpTaskCall, context: ServerContext) => Work;
}

/**
 * Answers `tasks/get`, `tasks/update` and `tasks/cancel`. The task's id is the grant: any client that got it, from this
 * server or from the client that did, may read, answer and cancel the task.
 */
export function serveTasks(server: Server, tasks: Tasks, { canAsk, workOf }: TaskSide): void {
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
