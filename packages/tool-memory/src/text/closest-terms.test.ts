import fc from "fast-check";
import { expect, test } from "vitest";
import { closestTerms, firstLetters, toMisspelt } from "./closest-terms.ts";

const vocabulary = [
  "standup",
  "database",
  "hamburg",
  "environment",
  "vaccin",
  "budget",
  "gadget",
  "leipzig",
  "passwort",
];

test.each([
  ["standap", "standup"],
  ["datbase", "database"],
  ["databsae", "database"],
  ["hamburgg", "hamburg"],
  ["ahmburg", "hamburg"],
  ["enviromnet", "environment"],
  ["vaccinaton", "vaccin"],
  ["pasword", undefined],
  ["budjet", "budget"],
])("closestTerms() takes %s for %s", (term, word) => {
  expect(closestTerms(term, vocabulary)).toStrictEqual(word === undefined ? [] : [word]);
});

test("closestTerms() gives the words with the fewest mistakes, three at most", () => {
  expect(closestTerms("paramaters", ["parameters", "perimeters"])).toStrictEqual(["parameters"]);
  expect(closestTerms("planx", ["plana", "planb", "planc", "pland"])).toStrictEqual(["plana", "planb", "planc"]);
});

test("toMisspelt() leaves out short words, numbers, pieces of unspaced scripts and words that are found", () => {
  const terms = ["tea", "v12345", "会議", "standap", "standap", "budget", "ab_cdef"];
  expect(toMisspelt(terms, new Map([["budget", 1]]))).toStrictEqual(["standap"]);
  expect(toMisspelt(["aaaaa", "bbbbb", "ccccc", "ddddd"], new Map())).toHaveLength(3);
});

test("closestTerms() knows a word by any one mistake in a word of five letters or more", () => {
  const letters = fc.string({ minLength: 5, maxLength: 12, unit: fc.constantFrom("a", "b", "c", "d", "e", "f") });
  const letter = fc.constantFrom("a", "b", "c", "d", "e", "f");
  fc.assert(
    fc.property(letters, fc.nat(), fc.nat(3), letter, (word, where, kind, other) => {
      const at = where % (word.length - 1);
      const [before, after] = [word.slice(0, at), word.slice(at + 1)];
      const wrong = [
        before + after,
        before + other + word.slice(at),
        before + other + after,
        `${before}${after.slice(0, 1)}${word.slice(at, at + 1)}${after.slice(1)}`,
      ][kind];
      if (wrong === undefined || wrong === word || wrong.length < 5) return;
      expect(closestTerms(wrong, [word])).toStrictEqual([word]);
      // Only where the first letter itself is wrong, and not by exchange, is the word not among those that are looked at.
      if (at > 0) expect(firstLetters(wrong)).toContain(word.slice(0, 1));
    }),
  );
});

test.each([
  ["zahnarzt", ["zahnarzttermin", "zahnrad"], ["zahnarzttermin"]],
  ["zhanarzt", ["zahnarzttermin", "harbour"], ["zahnarzttermin"]],
  ["waschmaschinenkeller", ["waschmaschine", "waschen"], ["waschmaschine"]],
  ["cstomer", ["custom", "costume", "cistern"], ["custom"]],
  ["tea", ["teapot"], []],
  ["plane", ["planet"], ["planet"]],
  ["garden", ["pardoner", "harden"], ["harden"]],
])("a word that no text has, %s of %j, is searched as %j", (term, words, expected) => {
  expect(closestTerms(term, words)).toEqual(expected);
});
