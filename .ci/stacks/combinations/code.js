import { registerCodeTool } from "@dispatch/tool-code";
import { QuickJsRuntime } from "@dispatch/tool-code/quickjs";
import { createToolRegistry } from "@dispatch/tools-interface";

try {
  const runtime = new QuickJsRuntime();
  const registry = createToolRegistry();
  registerCodeTool(registry, { runtime });
  const result = await registry.dispatch({ name: "execute_code", arguments: { code: "return 40 + 2;" } });
  await runtime.close();
  console.log(String(result).includes("42") ? "works" : `${String(result)}`);
} catch (error) {
  console.log(String(error));
}
