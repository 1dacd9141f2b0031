import { createToolRegistry } from "@dispatch/tools-interface";
import { connectMcp } from "@dispatch/tools-interface/mcp-client";
const F = "/tmp/w4/h20-scratch/fs/node_modules/.bin/";
const all = [
  ["filesystem", "mcp-server-filesystem", ["/tmp/w4/h20-scratch/ws"]],
  ["everything", "mcp-server-everything", []],
  ["memory", "mcp-server-memory", []],
  ["thinking", "mcp-server-sequential-thinking", []],
  ["playwright", "playwright-mcp", []],
  ["devtools", "chrome-devtools-mcp", []],
  ["notion", "notion-mcp-server", []],
  ["context7", "context7-mcp", []],
  ["tavily", "tavily-mcp", []],
  ["firecrawl", "firecrawl-mcp", []],
].filter(([n]) => !process.argv[2] || process.argv.slice(2).includes(n));
for (const [name, bin, args] of all) {
  const t = performance.now();
  const s = connectMcp(
    name,
    {
      command: F + bin,
      args,
      env: { TAVILY_API_KEY: "x", FIRECRAWL_API_KEY: "fc-x", NOTION_TOKEN: "x", CONTEXT7_API_KEY: "x" },
    },
    { connectTimeoutMs: 20000 },
  );
  try {
    const tools = await s.tools();
    console.log(name, tools.length, s.problems, Math.round(performance.now() - t));
    const r = createToolRegistry().register(tools);
    if (name === "everything")
      for (const [n, p] of [
        ["echo", { message: "hi" }],
        ["get-sum", { a: 1, b: 2 }],
        ["get-tiny-image", {}],
        ["get-structured-content", { location: "New York" }],
        ["get-annotated-message", { messageType: "error", includeImage: true }],
        ["get-resource-links", { count: 2 }],
        ["get-resource-reference", {}],
        ["trigger-long-running-operation", { duration: 1, steps: 2 }],
      ]) {
        const x = await r.dispatch("everything__" + n, p, {
          approve: () => true,
          onEvent: (e) => e.type === "call-progress" && console.log(e.update),
        });
        console.log(
          n,
          x.success,
          String(x).slice(0, 100),
          x.data,
          x.content?.map((c) => c.type),
        );
      }
    if (name === "filesystem")
      console.log(
        String(
          await r.dispatch(
            "filesystem__read_text_file",
            { path: "/tmp/w4/h20-scratch/ws/a.txt" },
            { approve: () => true },
          ),
        ),
      );
  } catch (e) {
    console.log(name, "FAILED", e.message);
  }
  await s.close();
}
