import { runAll } from "./all.js";

void runAll().then((found) => process.stdout.write(`${JSON.stringify(found)}\n`));
