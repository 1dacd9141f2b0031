import type { TreeShare } from "./tree.ts";

/** The level of the directories that are divided among the parts of a listing: those below them follow, those above are read by all. */
const DIVIDED_LEVEL = 2;

/** Whether all parts of a listing read a directory. It is given by its path from the one that is listed, `""` for that one. */
export function isReadByAll(directory: string): boolean {
  return namesOf(directory).length < DIVIDED_LEVEL;
}

/** Whether a part lists the entries of a directory. Of a directory that all parts read the first one does. */
export function lists(share: TreeShare | undefined, directory: string): boolean {
  if (share === undefined) return true;
  return isReadByAll(directory) ? share.index === 0 : mayEnter(share, directory);
}

/** Whether a part reads a directory. By its path alone: the parts see the tree at different moments. */
export function mayEnter(share: TreeShare, directory: string): boolean {
  if (isReadByAll(directory)) return true;
  let sum = 0;
  for (const character of namesOf(directory).slice(0, DIVIDED_LEVEL).join("/"))
    sum = (Math.imul(sum, 31) + character.codePointAt(0)!) >>> 0;
  return sum % share.count === share.index;
}

function namesOf(directory: string): string[] {
  return directory === "" ? [] : directory.split("/");
}
