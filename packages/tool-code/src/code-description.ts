import type { AnyToolRegistry } from "@dispatch/tools-interface";
import { freeName } from "./host-function.ts";

/** As `generateStubs` counts. */
const CHARS_PER_TOKEN = 4;

/** Abilities of a runtime without a description of its own. */
const ABILITIES =
  "There are no packages and no imports from the web. Files in its working directory and hosts it is allowed may be used, if there are any.";

/**
 * The description of `execute_code` for a model: the abilities of programs, the functions they can call (as far as the
 * limit allows), and how to learn the rest.
 *
 * @param keepsValues Whether programs can keep values for later ones.
 * @param maxChars Size of the declarations, in characters. 0 leaves them out.
 * @param abilities The runtime's description of itself.
 */
export function codeDescription(
  registry: AnyToolRegistry | undefined,
  excluded: readonly string[],
  maxChars: number,
  keepsValues = false,
  abilities = ABILITIES,
): string {
  const stubs = registry?.generateStubs({ exclude: excluded, declarations: true, detail: "names" }) ?? "";
  const lines = [
    "Runs a TypeScript program in a sandbox and answers with its printed text (console.log) and its returned value. Use it to call several tools, to loop, filter or compute; for a single call use the tool itself.",
    keepsValues
      ? `Every program starts afresh. Keep data for a later one with await ${freeName("keepValue", stubs)}(name, value), and read it with await ${freeName("keptValue", stubs)}(name).`
      : "Every program starts afresh: nothing is kept from the one before.",
    abilities,
    `An image, { type: "image", mimeType, data: base64 }, is shown when it is returned or passed to ${freeName("showImage", stubs)}(image).`,
  ];
  if (registry === undefined || stubs.trim() === "" || maxChars <= 0) return lines.join("\n");
  const declarations = registry.generateStubs({
    exclude: excluded,
    declarations: true,
    // The model already has the parameters' documentation from the tools' own schemas.
    detail: "signatures",
    maxTokens: maxChars / CHARS_PER_TOKEN,
    hint: `For all of one print await ${freeName("describeTool", stubs)}("name"), with no name or a word to search for.`,
  });
  lines.push(
    "These functions are there, each calls a tool and throws an Error when it fails. Await every call; independent ones with Promise.all:",
    declarations.trim(),
  );
  return lines.join("\n");
}
