/** One attempt of an attack: the inside of an async function that returns something when it works and throws when not. */
export interface Attempt {
  /** How the attempt goes about it. */
  readonly name: string;
  /** The code. */
  readonly body: string;
}

const REFUSED = "refused";

/** The body of a program that makes attempts one after the other, so that one process serves them all. */
export function attemptAll(attempts: readonly Attempt[]): string {
  const made = attempts.map(
    ({ name, body }) =>
      `try { found.push(${JSON.stringify(`${name}: `)} + JSON.stringify(await (async () => { ${body} })())); } catch { found.push("${REFUSED}"); }`,
  );
  return `const found = []; ${made.join(" ")} return found;`;
}

/** The attempts that were not refused, found in such a program's return value. */
export function succeededIn(found: readonly unknown[]): readonly unknown[] {
  return found.filter((result) => result !== REFUSED);
}
