import type { ASTNode } from "@marcbachmann/cel-js";
import { partsOf } from "./rule-language.ts";
import { patternHost } from "./url-host.ts";

const ON_TEXT: ReadonlySet<string> = new Set(["startsWith", "endsWith", "contains"]);

/**
 * The fault of a text in a condition that no call could ever match, so that a rule which denies would silently deny nothing:
 * a pattern that is no host, a host in another form than `host` answers, a directory with `*`. `undefined` without one.
 */
export function literalFault(node: ASTNode): string | undefined {
  const own = faultOf(node);
  if (own !== undefined) return own;
  for (const part of partsOf(node)) {
    const found = literalFault(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

function faultOf(node: ASTNode): string | undefined {
  if (node.op === "call") {
    const [name, [, second]] = node.args;
    const text = textOf(second);
    if (text === undefined) return undefined;
    if (name === "isHost" && canonical(text) === undefined)
      return `isHost with ${JSON.stringify(text)}, which is no host and no domain such as "*.example.com"`;
    if (name === "within" && (text.includes("*") || text === ""))
      return `within with ${JSON.stringify(text)}, allowed is a directory: all below it is within`;
    return undefined;
  }
  if (node.op === "==" || node.op === "!=" || node.op === "in") {
    const [left, right] = node.args;
    const texts = isHostCall(left) ? textsOf(right) : isHostCall(right) ? textsOf(left) : [];
    const odd = texts.find((text) => canonical(text) !== text);
    return odd === undefined ? undefined : `host compared with ${JSON.stringify(odd)}, ${advice(odd)}`;
  }
  if (node.op === "rcall") {
    const [name, receiver, [given]] = node.args;
    const text = ON_TEXT.has(name) && isHostCall(receiver) ? textOf(given) : undefined;
    if (text !== undefined && text !== text.toLowerCase())
      return `host compared with ${JSON.stringify(text)}, but hosts are in lower case`;
  }
  return undefined;
}

function advice(text: string): string {
  const host = text.startsWith("*.") ? undefined : canonical(text);
  return host === undefined
    ? "which no host is: name a host, or use isHost for a domain and those below it"
    : `but its form is ${JSON.stringify(host)}`;
}

function canonical(text: string): string | undefined {
  try {
    return patternHost(text);
  } catch {
    return undefined;
  }
}

function isHostCall(node: ASTNode): boolean {
  return node.op === "call" && node.args[0] === "host";
}

function textsOf(node: ASTNode): readonly string[] {
  const nodes = node.op === "list" ? node.args : [node];
  return nodes.flatMap((each) => textOf(each) ?? []);
}

function textOf(node: ASTNode | undefined): string | undefined {
  return node?.op === "value" && typeof node.args === "string" ? node.args : undefined;
}
