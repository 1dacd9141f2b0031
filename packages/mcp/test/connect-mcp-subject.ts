import type { McpSubject } from "@dispatch/check";
import { createToolRegistry } from "@dispatch/tools-interface";
import { connectMcp } from "../src/client/index.ts";

/** `connectMcp` as hostile cases see it: a registry with the tools of the server, made anew for each listing. */
export const connectMcpSubject: McpSubject = {
  connect(url, { timeoutMs, headers }) {
    const source = connectMcp("other", { url, headers }, { timeoutMs, connectTimeoutMs: timeoutMs });
    let registry = createToolRegistry();
    return Promise.resolve({
      async tools() {
        registry = createToolRegistry().register(await source.tools());
        return registry.toArray();
      },
      async call(name, params) {
        const result = await registry.dispatch(name, params, { approve: () => true });
        return { success: result.success, text: String(result) };
      },
      close: () => source.close(),
    });
  },
};
