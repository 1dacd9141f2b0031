import { openMemory } from "../src/memory/open-memory.ts";

/**
 * Opens a memory and writes to it at random, until it has done so many writes or is killed: appends, replacements with
 * and without the version they expect, proposals, approvals, undoing. Prints what was acknowledged, one line each:
 * `APPENDED label line`, `REPLACED label version line`, `DONE`.
 */
const [url = "", name = "", count = "Infinity"] = process.argv.slice(2);
const { manager, admin } = await openMemory(url, { owner: "mixed", actor: `agent ${name}`, connections: 2 });
const any = (most: number): number => Math.floor(Math.random() * most);

process.stdout.write("OPEN\n");
for (let n = 0; n < Number(count); n++) {
  switch (any(6)) {
    case 0:
    case 1:
    case 2: {
      const [label, line] = [`log ${any(10)}.${Math.floor(n / 100)}`, `${name}.${n}`];
      const { outcome } = await manager.write({ label, content: line, tier: "archival" });
      if (outcome === "applied") process.stdout.write(`APPENDED ${label.replace(" ", "_")} ${line}\n`);
      break;
    }
    case 3: {
      const label = `page ${any(10)}`;
      const block = await admin.get(label);
      const content = `${(block?.content ?? "").slice(-200)} ${name}.${n}`;
      const result = await manager.write({ label, content, expectVersion: block?.version ?? 0 });
      if (result.outcome === "applied")
        process.stdout.write(`REPLACED ${label} ${result.block.version} ${name}.${n}\n`);
      break;
    }
    case 4:
      await manager.write({ label: `core ${any(5)}`, content: `${name}.${n}`, tier: "core" });
      break;
    case 5: {
      const [waiting] = await admin.pending();
      if (waiting !== undefined) await admin.approve(waiting.id);
      const [event] = any(4) === 0 ? await admin.history("page 0", { limit: 1 }) : [];
      if (event !== undefined) await admin.undo(event.seq);
      break;
    }
  }
}
process.stdout.write("DONE\n");
process.exit();
