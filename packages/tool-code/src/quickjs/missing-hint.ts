/** Names that programs of other runtimes use and this runtime lacks. */
const NETWORK = /^(?:fetch|Request|Response|Headers|FormData|WebSocket|XMLHttpRequest|EventSource) is not defined/;
const SYSTEM =
  /^(?:Deno|Bun|require|module|exports|__dirname|__filename|Worker|WebAssembly|Atomics|localStorage|document|window) is not defined/;
const MODULE = /^Importing /;

/** An alternative for a program that uses a missing name. */
export function missingHint(message: string): { readonly hint?: string } {
  const text = message.replace(/^\w*Error: /, "");
  if (NETWORK.test(text)) return { hint: "There is no network here: call one of the tools instead" };
  if (SYSTEM.test(text) || MODULE.test(text))
    return {
      hint: "There are no files, processes and further modules here: use the language's own features, or call one of the tools",
    };
  return {};
}
