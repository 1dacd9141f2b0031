import { describe, expect, test } from "vitest";
import type { Grammar } from "./code-language.ts";
import { codeParser } from "./code-parser.ts";
import { findSymbol } from "./find-symbol.ts";

/** Programs in which every line that ends in `def` defines `it`, and every one that ends in `ref` uses it. */
const PROGRAMS: Readonly<Record<Grammar, string>> = {
  typescript: `
    import { it } from "./it.ts"; // ref
    interface it { // def
      it: number; // def
      it(): void; // def
    }
    type it = 1; // def
    enum it { A } // def
    enum E { it = 1, B } // def
    namespace it {} // def
    abstract class it { // def
      abstract it(): void; // def
      private it = 1; // def
      constructor(it: number) { // ref
        this.it = it; // ref
        items; "it"; \`it\`; 'it'; // it: none
      }
    }
    declare function it(): void; // def
    const x = { it: () => 1 }; // def
    const y = { it: 1, of: it }; // ref
    export const it = 1; // def
    const { it } = x; // ref`,
  tsx: `
    function it() { // def
      return <it it={it}>it</it>; // ref
    }
    const text = <p>it</p>; // none`,
  javascript: `
    class it { // def
      it = 1; // def
      it() {} // def
      get it() { return 1; } // def
    }
    function* it() {} // def
    exports.it = function () {}; // def
    exports.it = 1; // ref
    module.exports = it; // ref`,
  python: `
it = 1 # def
class it(Base): # def
    it: int = 2 # def
    def it(self): # def
        self.it = it # ref
        it = 2 # ref
"""it"""
from it import it as that # ref
@it # ref
def f(it): # ref
    return "it" # none`,
  go: `
package main
const it, b = 1, 2 // def
var it int // def
func it(a int) { // def
	it(1) // ref
}
func (r *it) it() { r.it() } // def, ref
type it struct { // def
	it int // def
}
type I interface {
	it() // def
}`,
  rust: `
fn it() { it(); } // def, ref
struct it { // def
  it: i32 // def
}
enum E {
  it(i32) // def
}
trait it { // def
  fn it(&self); // def
}
impl it for X {} // ref
const it: i32 = 1; // def
mod it {} // def
macro_rules! it { () => {} } // def
type it = i32; // def
use a::it; // ref`,
  java: `
import a.it; // ref
class it extends A { // def
  int it = 1; // def
  it() {} // def
  void it(int a) { // def
    it(1); // ref
  }
  enum it { // def
    it // def
  }
  record it(int x) {} // def
  void f(int it) {} // ref
}`,
  cpp: `
#define it 1 // def
class it : Base { // def
  int it; // def
  void it(int a); // def
  it* other; // ref
};
void Foo::it(int b) { // def
  it(1); // ref
}
int *it = 0; // def
struct it x = it; // ref
typedef int it; // def
enum E { it = 1 }; // def
using it = int; // def
void f(int it, int *it) {} // ref`,
  "c-sharp": `
using it; // ref
class it : B { // def
  int it = 1; // def
  public int it { get; } // def
  void it(int it) { // def, ref
    this.it(); // ref
    int it() { return 1; } // def
  }
  delegate void it(); // def
  enum E { it } // def
}`,
  php: `<?php
class it { // def
  public $it = 1; // def
  const it = 2; // def
  function it() { // def
    $this->it(); // ref
  }
}
enum E { case it; } // def
function f($it) {} // ref
trait it {} // def`,
  ruby: `
class It # none
  it = 1 # ref
  def it; end # def
  def self.it; end # def
end
module X
  it # ref
end`,
  bash: `
it() { echo hi; } # def
function it { :; } # def
it=1 # def
it a b # ref
echo $it "it is" # ref`,
};

const deadline = Number.POSITIVE_INFINITY;

describe("findSymbol()", () => {
  test.each(Object.entries(PROGRAMS))("tells definitions from uses in %s", async (grammar, program) => {
    const parser = await codeParser(grammar as Grammar);
    const tree = parser.parse(program);
    const found = (tree && findSymbol(tree.rootNode, program, "it", { maxHits: 1_000, deadline })) ?? [];
    const rows = program.split("\n");
    const expected = rows.flatMap((row, line) =>
      (/(?:\/\/|#) ((?:def|ref)(?:, ref)?)$/.exec(row)?.[1]?.split(", ") ?? []).map((kind) => `${line} ${kind}${row}`),
    );
    const lines = found.map(({ line, defines }) => `${line} ${defines ? "def" : "ref"}${rows[line]}`);
    expect(lines.toSorted()).toEqual(expected.toSorted());
    expect(lines.length).toBeGreaterThan(1);
    tree?.delete();
  });

  test("takes whole names alone, however they are written, and no more than wanted", async () => {
    const parser = await codeParser("javascript");
    const program = "$a = a + a1 + ä + _a + a$; /* a */ 'a'; ä2 = '😀' + ä;\n".repeat(3);
    const tree = parser.parse(program);
    if (tree === null) throw new Error("not parsed");
    const find = (symbol: string, maxHits = 1_000) =>
      findSymbol(tree.rootNode, program, symbol, { maxHits, deadline })?.map(({ line }) => line);
    expect(find("a")).toEqual([0, 1, 2]);
    expect(find("ä")).toEqual([0, 1, 2]);
    expect(find("a$", 2)).toEqual([0, 1]);
    expect(find("1")).toEqual([]);
    expect(findSymbol(tree.rootNode, program, "a", { maxHits: 1, deadline: 0 })).toBeUndefined();
    tree.delete();
  });
});
