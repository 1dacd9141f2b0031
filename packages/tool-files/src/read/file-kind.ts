/** A kind of file, recognised by its first bytes. */
export interface FileKind {
  /** Short name, such as `elf`, `sqlite` or `zip`; documents that are zip archives are `zip`. */
  readonly name: string;
  readonly mimeType: string | undefined;
}

/** Recognises the kind of a binary file by the signature at its beginning. `undefined`: unknown. */
export async function fileKind(head: Uint8Array): Promise<FileKind | undefined> {
  // Loaded here: most programs never meet a binary file.
  const { filetypeinfo } = await import("magic-bytes.js");
  const found = filetypeinfo(head);
  // A signature of zeros is none: many files begin so.
  const kind = found.find(({ mime }) => mime !== undefined) ?? (head[0] === 0 ? undefined : found[0]);
  return kind && { name: kind.typename, mimeType: kind.mime };
}

/** Advice for a model on a kind of file that cannot be shown. */
export function adviceOn(kind: FileKind | undefined): string {
  const { name = "", mimeType = "" } = kind ?? {};
  if (mimeType.startsWith("image/")) return "convert it to png, jpeg, gif or webp to look at it";
  if (/^(zip|gz|tar|bz2|xz|7z|rar|zst)/.test(name)) return "unpack it with another tool and read what is in it";
  if (mimeType === "application/pdf") return "turn it into text with another tool";
  return "use a program made for such files";
}
