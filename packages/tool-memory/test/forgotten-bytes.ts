import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openMemory } from "../src/memory/open-memory.ts";

/** The files below a directory that hold a text, in UTF-8 whatever its case, or in UTF-16. */
function filesWith(directory: string, text: string): readonly string[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const wide = Buffer.from(text, "utf16le");
  return files
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return bytes.includes(wide) || bytes.toString("latin1").toLowerCase().includes(text.toLowerCase());
    });
}

/** Writes secrets in every way there is, forgets them in every way there is, and says where on disk they are still found. */
export async function forgetOnDisk(directory: string, rounds: number) {
  const secret = (way: string): string => `zqx${way}jkvbpzq`;
  const ways = ["label", "actor", "match"] as const;
  const bulk = Array.from({ length: 500 }, Math.random).join(" ");
  const { manager, admin, close } = await openMemory(directory, { actor: secret("actor") });
  for (let n = 0; n < rounds; n++) {
    for (const way of ways) {
      const content = `${secret(way)} ${n}\n${bulk}`;
      await manager.write({ label: `secret/${way}`, content, reason: secret(way) });
      await manager.write({ label: `log/${way}`, content: `${secret(way)} ${n}`, tier: "archival" });
      await manager.write({ label: `profile/${way}`, content, tier: "core", reason: secret(way) });
      await manager.move({ label: `secret/${way}`, newLabel: `${secret(way)}/${n}` });
      await manager.remove({ label: `${secret(way)}/${n}` });
    }
    await admin.approveAll();
    await admin.undo({ actor: secret("actor"), since: new Date(Date.now() - 5).toISOString() });
    for (const { id } of await admin.pending()) await admin.reject(id, secret("label"));
  }
  await admin.write({ label: "kept", content: "this stays" });
  const before = ways.map((way) => filesWith(directory, secret(way)).length);
  for (const label of ["secret/label", "log/label", "profile/label"]) await admin.forget(label);
  await admin.forget({ match: secret("label") });
  await admin.forget({ actor: secret("actor") });
  await admin.forget({ match: secret("match") });
  const open = ways.flatMap((way) => filesWith(directory, secret(way)));
  const verified = await admin.verify();
  const kept = await admin.get("kept");
  await close();
  const closed = ways.flatMap((way) => filesWith(directory, secret(way)));
  return { before, found: [...open, ...closed], ok: verified.ok && kept?.content === "this stays" };
}
