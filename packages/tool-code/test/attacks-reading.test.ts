import { tryAttacks } from "./attack-suite.ts";

tryAttacks(["reading", "static imports", "remote modules"]);
