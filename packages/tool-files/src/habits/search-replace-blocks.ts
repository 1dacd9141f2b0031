/** A replacement as a diff of search and replace blocks has it. */
export interface SearchReplaceBlock {
  readonly old_text: string;
  readonly new_text: string;
}

const BLOCK =
  /^(?:-{3,}|<{3,}) ?SEARCH>?[^\n]*\n(?::(?:start|end)_line:[^\n]*\n)*(?:-{7}\n)?([^]*?\n|)={3,}\n([^]*?\n|)(?:\+{3,}|>{3,}) ?REPLACE>?[^\n]*(?:\n|$)/;

/**
 * The blocks of a diff of the form `------- SEARCH`, text, `=======`, text, `+++++++ REPLACE`, or with `<<<<<<<` and `>>>>>>>`.
 * `undefined`: it is anything else, or a text itself looks like the edge of a block.
 */
export function searchReplaceBlocks(diff: string): readonly SearchReplaceBlock[] | undefined {
  const blocks: SearchReplaceBlock[] = [];
  let rest = diff
    .replaceAll("\r\n", "\n")
    .replace(/^\s*```\w*\n|\n```\s*$/g, "")
    .trimStart();
  while (rest !== "") {
    const [whole, old, now] = BLOCK.exec(rest) ?? [];
    if (whole === undefined || old === undefined || now === undefined) return undefined;
    if (/^(?:={7}|-{7} SEARCH|<{7} SEARCH)$/m.test(now) || /^={7}$/m.test(old)) return undefined;
    blocks.push({ old_text: old, new_text: now });
    rest = rest.slice(whole.length).trimStart();
  }
  return blocks.length === 0 ? undefined : blocks;
}
