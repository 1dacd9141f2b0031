import fc from "fast-check";

const name = fc.constantFrom(
  "a",
  "a.b",
  "a-b",
  "ab",
  "A",
  "b",
  "[x]",
  ".h",
  "c\nd",
  "ü",
  "\u{1f600}",
  "\uff5e",
  "z.log",
);
/** Random paths, many of them in one another, with names that patterns, orders and encodings read differently. */
export const treePath = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
