import type { AppliedEdit } from "./applied-edit.ts";
import { tabsAndSpaces } from "./describe-difference.ts";
import type { IndentChange } from "./find-lines.ts";
import type { TabChange } from "./retab.ts";

/**
 * The answer's notes on edits that did not simply apply, and on the resulting version. Each part begins with a comma.
 */
export function editNotes(applied: readonly AppliedEdit[], merged: boolean, version: string | undefined): string[] {
  const crlf = applied.filter((edit) => edit.crlf).length;
  const loose = applied.flatMap((edit, index) => {
    const how = describeTier(edit);
    return how === undefined ? [] : [`, edits[${index}] ${how}`];
  });
  return [
    ...(crlf > 0 ? [`, ${crlf} of them written with CRLF line ends like the text around`] : []),
    ...loose,
    ...applied.flatMap(({ places }, index) => (places > 1 ? [`, edits[${index}] in ${places} places`] : [])),
    ...(merged ? [", which had changed since the version given, in lines the edits do not touch"] : []),
    ...(version === undefined ? [] : [`, now version ${version}`]),
  ];
}

function describeTier({ tier, indent, tabs }: AppliedEdit): string | undefined {
  switch (tier) {
    case "exact":
      return undefined;
    case "line_ends":
      return "found with other line ends";
    case "characters":
      return "found with other quotes, dashes or spaces, lines that new_text changes have those of new_text";
    case "trailing_space":
      return "found with other white space at line ends";
    case "indentation":
      return `found with other indentation, new_text written with ${tabs === undefined ? describeIndent(indent) : describeTabs(tabs)}`;
    case "line_numbers":
      return "found without the line numbers it was given with";
  }
}

function describeIndent(indent: IndentChange | undefined): string {
  return indent === undefined ? "it" : `${tabsAndSpaces(indent.by)} ${indent.deeper ? "more" : "less"}`;
}

function describeTabs({ toTabs, width }: TabChange): string {
  return toTabs ? `a tab for ${width} spaces` : `${width} spaces for a tab`;
}
