import { ForeignCall, isEmpty, truth } from "./foreign-call.ts";
import { searchReplaceBlocks } from "./search-replace-blocks.ts";

/** Edits of a call. */
export const MAX_EDITS = 200;
/** Characters of all texts of its edits: 2 Mi. */
export const MAX_EDIT_CHARS: number = 2 * 1024 * 1024;

const OLD = ["old_string", "old_str", "search", "find", "old", "old_content", "search_string"];
const NEW = ["new_string", "new_str", "replace", "replacement", "new", "new_content", "replace_string"];
const ALL = ["allow_multiple", "replace_all_occurrences", "global"];
const EDIT = ["old_text", "new_text", "replace_all"];
/** The advice for edits in another shape. */
export const SEND_EDITS = "send edits: [{ old_text, new_text }]";

/** Reads search and replace blocks as edits. */
export function readDiff(call: ForeignCall): void {
  const diff = call.take("diff");
  if (diff === undefined) return;
  refuseLong(call, diff.key, diff.value);
  const blocks = typeof diff.value === "string" ? searchReplaceBlocks(diff.value) : undefined;
  if (blocks === undefined || call.has("edits")) call.refuse(diff.key, SEND_EDITS);
  call.set("edits", blocks);
  call.note(`"diff" was taken for ${blocks.length} edit${blocks.length === 1 ? "" : "s"}`);
}

/** Texts of edits are taken apart while nothing else is done. */
function refuseLong(call: ForeignCall, key: string, value: unknown): void {
  if (typeof value === "string" && value.length > MAX_EDIT_CHARS)
    call.refuse(key, `it is ${value.length} characters long, allowed are ${MAX_EDIT_CHARS}; send fewer edits a call`);
}

/** Reads the texts of one edit that were sent beside the path. */
export function readSingleEdit(call: ForeignCall): void {
  const old = call.take("old_text", ...OLD);
  const now = call.take("new_text", ...NEW);
  const all = call.take("replace_all", ...ALL);
  if (old === undefined && now === undefined) {
    if (all === undefined) return;
    if (truth(all.value) !== false) call.refuse(all.key, "set it in each edit that is to replace all");
    call.note(`${JSON.stringify(all.key)} was left out, it changes nothing here`);
    return;
  }
  if (old === undefined || now === undefined) call.refuse((old ?? now)!.key, SEND_EDITS);
  if (call.has("edits")) call.refuse(old.key, "it was sent beside edits, put it into them");
  call.set("edits", [
    {
      old_text: old.value,
      new_text: now.value,
      ...(all !== undefined && { replace_all: truth(all.value) ?? all.value }),
    },
  ]);
  call.note(`${JSON.stringify(old.key)} and ${JSON.stringify(now.key)} were taken for an edit`);
}

/** Reads edits written as JSON, a single one, or with other names in them. */
export function readEdits(call: ForeignCall): void {
  if (call.has("edits")) call.set("edits", editsOf(call, call.get("edits")));
}

function editsOf(call: ForeignCall, sent: unknown): unknown {
  let edits = sent;
  if (typeof edits === "string") {
    refuseLong(call, "edits", edits);
    try {
      edits = JSON.parse(edits);
      call.note('"edits" was decoded from text');
    } catch {
      return edits;
    }
  }
  if (typeof edits === "object" && edits !== null && !Array.isArray(edits)) {
    edits = [edits];
    call.note('"edits" was taken for a list of one');
  }
  // The schema answers for too many of them.
  if (!Array.isArray(edits) || edits.length > MAX_EDITS) return edits;
  return edits.map((edit: unknown) => {
    if (typeof edit !== "object" || edit === null || isEmpty(edit)) return edit;
    const inner = new ForeignCall(edit as Record<string, unknown>, EDIT);
    inner.rename(OLD, "old_text");
    inner.rename(NEW, "new_text");
    inner.rename(ALL, "replace_all");
    const { params, changes } = inner.translation() ?? { params: edit, changes: [] };
    for (const change of changes) call.note(change);
    return params;
  });
}
