import { homedir, tmpdir } from "node:os";
import process from "node:process";
import { expectOf } from "../conformance-case.ts";

/** A frame of a stack. */
const STACK_FRAME = /\n\s+at .+:\d+:\d+/;

/** Fails when a text reveals a host path, unless the model itself had sent it. */
export function expectNoHostPath(text: string, sent: unknown): void {
  const said = JSON.stringify(sent) ?? "";
  const told = hostPaths().filter((path) => text.includes(path) && !said.includes(path));
  expectOf(told.length === 0, "no path of the host in the text", text.slice(0, 400));
  expectOf(!STACK_FRAME.test(text), "no stack in the text", text.slice(0, 400));
}

/**
 * A directory right under the root, such as `/tmp`, is a path a model may read about: only paths inside it reveal
 * something.
 */
function hostPaths(): readonly string[] {
  return [process.cwd(), homedir(), tmpdir()]
    .filter((path) => path.length > 1)
    .map((path) => (path.split(/[/\\]/).length > 2 ? path : `${path}/`));
}
