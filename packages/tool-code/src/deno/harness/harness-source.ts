import { moduleValue } from "../../program/module-value.ts";
import { toolNamespaces } from "../../program/tool-namespaces.ts";
import { valueJson } from "../../program/value-json.ts";
import { closedExports, DEFAULT_EXPORTS } from "./closed-modules.ts";
import { harnessGlobals } from "./harness-globals.ts";
import { harnessSeal } from "./harness-seal.ts";
import { harnessStack } from "./harness-stack.ts";
import { harnessVm } from "./harness-vm.ts";
import { harnessWire } from "./harness-wire.ts";
import { harness } from "./harness.ts";

/**
 * The harness as JavaScript, without comments, indentation and most line breaks: it must fit into a command line. `import()` is written here,
 * in text, because tools that process source rewrite it. The published package holds the text this returns: a minifier may move
 * parts of a function out of it.
 */
export function harnessSource(): string {
  return (
    [
      'import { Worker } from "node:worker_threads";',
      `import * as modules from ${JSON.stringify(DEFAULT_EXPORTS)};`,
      // Some bundlers keep names with a helper that exists only in their bundle.
      "const __name = (value) => value;",
      // Taken before the seal removes all the rest of it.
      "const hasMoreWork = Deno[Deno.internal]?.core?.eventLoopHasMoreWork;",
      `(${harnessSeal.toString()})(Worker, modules, ${closedExports()}, ${harnessVm.toString()});`,
      `(${harness.toString()})((url) => import(url), ${valueJson.toString()}, (${moduleValue.toString()})(), ${toolNamespaces.toString()}, (${harnessWire.toString()})(hasMoreWork), (${harnessStack.toString()})(), (${harnessGlobals.toString()})());`,
    ]
      .join("\n")
      .replaceAll(/^[ \t]*(?:\/\/.*|\/\*\*[^]*?\*\/)$/gm, "")
      .replaceAll(/^\s+| +$/gm, "")
      // A line break takes three characters of an address.
      .replaceAll(/([{,(])\n/g, "$1")
  );
}
