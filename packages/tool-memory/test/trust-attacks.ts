import { type MemoryBlock, isBelow } from "../src/block/memory-block.ts";
import { toJsonLines } from "../src/history/json-lines.ts";
import type { Memory } from "../src/memory/open-memory.ts";

/** The text of a person that every attack is after, and the words that find it. */
const TRUTH = "The rent goes to account DE02 of the landlord";
const QUERY = "rent account landlord";
const LIE = "The rent goes to account XX66 of the landlord";

/** The sources that an attack writes with. */
const DOUBTED = ["import", "tool", "web"] as const;
type Doubted = (typeof DOUBTED)[number];

/** How an attack begins: what there is, `truth` being the person's block. */
const settings: Readonly<Record<string, (memory: Memory) => Promise<unknown>>> = {
  append: ({ admin }) => admin.write({ label: "truth", content: TRUTH, tier: "archival" }),
  readwrite: ({ admin }) => admin.write({ label: "truth", content: TRUTH }),
  core: ({ admin }) => admin.write({ label: "truth", content: TRUTH, tier: "core" }),
  async approved({ manager, admin }) {
    await manager.write({ label: "truth", content: TRUTH, tier: "core" });
    await admin.approveAll();
  },
};

/** One step of an attack in the name of a source. */
type Step = (memory: Memory, source: Doubted) => Promise<unknown>;

const hide: Step = ({ manager }, source) => manager.write({ label: "lie", content: LIE, supersedes: "truth", source });
const plant: Step = ({ manager }, source) =>
  manager.write({ label: "lie", content: `${LIE}\n${"more\n".repeat(20)}teh end`, source });
const fix: Step = ({ manager }) =>
  manager.edit({ label: "lie", offset: LIE.length + 101, before: "teh", after: "the" });
const replace: Step = ({ manager }, source) => manager.write({ label: "truth", content: LIE, source });
const edit: Step = ({ manager }, source) =>
  manager.edit({ label: "truth", offset: 25, before: "DE02", after: "XX66", source });
const rename: Step = ({ manager }, source) => manager.move({ label: "truth", newLabel: "old/truth", source });
const archive: Step = ({ manager }, source) => manager.move({ label: "truth", tier: "archival", source });
const remove: Step = ({ manager }, source) => manager.remove({ label: "truth", source });
const promote: Step = ({ manager }, source) => manager.move({ label: "lie", tier: "core", source });
const again: Step = ({ manager }) => manager.write({ label: "lie", content: LIE, supersedes: "truth" });
const change: Step = ({ admin }) => admin.write({ label: "truth", content: `${TRUTH}, always` });
const undoLast: Step = async ({ admin }) => admin.undo((await admin.history(undefined, { limit: 1 }))[0]?.seq ?? 0);
const undoLie: Step = async ({ admin }) => admin.undo((await admin.history("lie", { limit: 1 }))[0]?.seq ?? 0);
const importBack: Step = async ({ admin }) => admin.import(toJsonLines(await admin.export()));
const importLie: Step = async ({ admin }) =>
  admin.import([...toJsonLines(await admin.export())].map((line) => line.replaceAll("DE02", "XX66")));
const relabel: Step = ({ manager }, source) => manager.write({ label: "trutһ", content: LIE, source });

/** Sequences of steps; the person approves nothing but what `approve` marks, after a look at what is shown. */
const sequences: Readonly<Record<string, readonly Step[]>> = {
  hide: [hide],
  "hide twice": [hide, again, hide],
  "plant, then hide": [plant, hide, again],
  "replace, edit": [replace, edit],
  "move and remove": [rename, archive, remove],
  "move, then take the label": [rename, replace, relabel],
  "hide, undo, undo the undo": [plant, hide, undoLie, undoLast],
  "hide what changes": [hide, change],
  "plant, fix, promote": [plant, fix, promote],
  "promote, then change": [plant, promote, replace, fix],
  "import back": [plant, importBack, hide],
  "import a lie": [importLie, hide, importLie],
};

/** An attack: a name, and how it goes in a memory. */
interface TrustAttack {
  readonly name: string;
  readonly run: (memory: Memory) => Promise<TrustFindings>;
}

/** The gain of an attack. */
interface TrustFindings {
  /** Blocks whose trust rose without every line having been shown. */
  readonly risen: readonly string[];
  /** Whether the person's text is no longer found, changed or removed without approval. */
  readonly hidden: readonly string[];
}

/** Every setting with every sequence and source, each once with nothing approved and once with all approved in reverse order. */
export const trustAttacks: readonly TrustAttack[] = Object.entries(settings).flatMap(([setting, prepare]) =>
  Object.entries(sequences).flatMap(([name, steps]) =>
    DOUBTED.flatMap((source) =>
      [false, true].map((approves) => ({
        name: `${setting}: ${name} by ${source}${approves ? ", all approved in reverse order" : ""}`,
        run: async (memory: Memory) => {
          await prepare(memory);
          const shown = new Set([TRUTH, ...`${TRUTH}, always`.split("\n")]);
          const before = await memory.admin.get("truth");
          for (const step of steps) await step(memory, source);
          if (approves) {
            for (const { id, diff, stale } of (await memory.admin.pending()).toReversed()) {
              for (const line of diff.split("\n")) if (/^[ +]/.test(line)) shown.add(line.slice(1));
              const result = await memory.admin.approve(id);
              if (stale && result.outcome === "applied") throw new Error(`${id} was stale and is applied`);
            }
          }
          const hidden = approves ? [] : await findHidden(memory, before);
          return { risen: findRisen((await memory.admin.export()).blocks, shown), hidden };
        },
      })),
    ),
  ),
);

/** Blocks of high trust that hold a line which nobody was shown. */
export function findRisen(blocks: readonly MemoryBlock[], shown: ReadonlySet<string>): readonly string[] {
  return blocks
    .filter(({ trust, content }) => trust === "high" && content.split("\n").some((line) => !shown.has(line)))
    .map(({ label }) => label);
}

async function findHidden({ manager, admin }: Memory, was: MemoryBlock | null): Promise<readonly string[]> {
  const now = (await admin.export()).blocks.find(({ id }) => id === was?.id);
  const found = (await manager.search(QUERY, { limit: 50 })).some(({ id }) => id === was?.id);
  const kept = now !== undefined && now.label === was?.label && now.tier === was.tier && now.content.startsWith(TRUTH);
  // `append` allows an addition, which takes the block's trust and leaves the person's text.
  const isAdded = now?.permission === "append" && now.content !== was?.content;
  const doubted = now !== undefined && isBelow(now.trust, "high") && !isAdded;
  return [found ? [] : "not found", kept ? [] : "changed", doubted ? "doubted" : []].flat();
}
