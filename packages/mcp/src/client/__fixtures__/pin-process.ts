/** `node pin-process.ts FILE SERVER` remembers 25 tools of a server, one by one. */
import process from "node:process";
import { readListedTool, type ListedTool } from "../listed-tool.ts";
import { pinFile, pinOf } from "../pins.ts";

const [, , file = "", server = ""] = process.argv;
const pins = pinFile(file);
for (let at = 0; at < 25; at += 1)
  await pins.set(
    server,
    `t${at}`,
    pinOf(readListedTool({ name: `t${at}`, inputSchema: { type: "object" } }) as ListedTool),
  );
