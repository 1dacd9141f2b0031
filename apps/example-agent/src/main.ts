/** The program: picks a front end by the first argument. Each front end is loaded only when it is used. */
const [command, ...rest] = process.argv.slice(2);
try {
  process.exitCode =
    command === "mcp"
      ? await (await import("./mcp/run-mcp.ts")).runMcp(rest, process.env)
      : command === "sessions"
        ? (await import("./start/show-sessions.ts")).showSessions(rest, process.env)
        : await (await import("./start/start-agent.ts")).startAgent(process.argv.slice(2), process.env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
