/**
 * Makes the test whether JSON holds more values than allowed. Runs inside Deno, sent there as source like the harness it
 * is for, so it uses nothing from outside of itself and takes what it needs before the program starts.
 */
export function harnessCount(): (json: string, most: number) => boolean {
  const { apply } = Reflect;
  const { indexOf } = String.prototype;
  /** Where the text ends that begins at a quote. */
  function endOfText(json: string, start: number): number {
    for (let end = start + 1; ; end += 1) {
      end = apply(indexOf, json, ['"', end]);
      let before = end;
      while (json[before - 1] === "\\") before -= 1;
      if ((end - before) % 2 === 0) return end;
    }
  }
  return (json, most) => {
    // A value takes two characters, but for the first.
    if (json.length < 2 * most) return false;
    let count = 1;
    for (let at = 0; at < json.length && count <= most; at += 1) {
      const char = json[at];
      if (char === '"') at = endOfText(json, at);
      else if (char === ",") count += 1;
      else if ((char === "[" || char === "{") && json[at + 1] !== "]" && json[at + 1] !== "}") count += 1;
    }
    return count > most;
  };
}
