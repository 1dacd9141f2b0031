import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Passes everything on, headers as they are, with the token that the conformance runner cannot send. */
export async function startBearingProxy(target: string, token: string): Promise<{ url: string; server: Server }> {
  const { hostname: host, port, pathname } = new URL(target);
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${token}` };
    const onward = request({ host, port, path: asked.url, method: asked.method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://localhost:${(server.address() as AddressInfo).port}${pathname}`, server };
}
