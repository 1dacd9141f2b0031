/** Lines around a change that are shown. */
const CONTEXT = 2;

/** The change from one text to another as rows of a diff: from the first line that differs to the last. */
export function textDiff(before: string, after: string): readonly string[] {
  if (before === after) return [];
  const [old, now] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, now.length);
  let [head, tail] = [0, 0];
  while (head < shorter && old[head] === now[head]) head += 1;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return [
    ...old.slice(Math.max(head - CONTEXT, 0), head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + CONTEXT).map((line) => ` ${line}`),
  ];
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
