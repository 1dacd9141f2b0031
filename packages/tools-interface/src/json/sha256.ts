/** SHA-256 of a text, in hex. Loaded when first asked for: most programs never are. */
export function sha256(text: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");
}
