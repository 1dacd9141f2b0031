// Imports every entry of the packages that it is given, and says which cannot be.
import { readFileSync } from "node:fs";
import process from "node:process";

/** @type {string[]} */
const failed = [];
for (const name of process.argv.slice(2)) {
  const manifest = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  for (const subpath of Object.keys(manifest.exports)) {
    if (subpath === "./package.json") continue;
    await import(name + subpath.slice(1)).catch(() => failed.push(subpath));
  }
}
console.log(failed.join(" "));
