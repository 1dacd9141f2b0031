/** Calls a tool with any parameters. */
type CallTool = (name: string, params: unknown) => Promise<unknown>;

/**
 * Declares the names under which programs written for other systems find the tools: `tools.NAME(…)`, `codemode.NAME(…)`
 * and `callTool("NAME", …)`. They call the same functions. An existing name keeps its meaning. It runs beside the
 * program, sent there as source, so it uses nothing from outside itself.
 */
export function toolNamespaces(callTool: CallTool): void {
  const own: Record<string, unknown> = {};
  const tools = new Proxy(own, {
    get(_, name) {
      // Awaiting, printing or comparing an object reads these properties.
      if (typeof name !== "string" || name === "then" || name === "toJSON") return undefined;
      return (own[name] ??= (params: unknown = {}) => callTool(name, params));
    },
  });
  const names: Readonly<Record<string, unknown>> = {
    tools,
    codemode: tools,
    callTool: (name: string, params: unknown = {}) => callTool(name, params),
  };
  for (const name of Object.keys(names))
    if (!(name in globalThis))
      Object.defineProperty(globalThis, name, { value: names[name], writable: true, configurable: true });
}
