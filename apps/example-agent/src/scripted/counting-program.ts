/** The program with which the scripted model checks its work. It calls the file tools, all files at the same time. */
export function countingProgram(from: string, to: string): string {
  return `const { files } = await list_files({ pattern: "**/*" });
const texts = await Promise.all(files.map(async (path: string) => {
  try { return { path, text: (await read_file({ path })).content }; }
  catch (error) { console.log("skipped", path, String(error)); return { path, text: "" }; }
}));
const count = (text: string, word: string) => text.split(new RegExp("\\\\b" + word + "\\\\b")).length - 1;
let left = 0;
for (const { path, text } of texts) {
  const [old, renamed] = [count(text, ${JSON.stringify(from)}), count(text, ${JSON.stringify(to)})];
  if (old + renamed > 0) console.log(path.padEnd(32), "old", old, "new", renamed);
  left += old;
}
return { files: files.length, left };
`;
}
