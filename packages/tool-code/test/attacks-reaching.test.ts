import { tryAttacks } from "./attack-suite.ts";

tryAttacks(["writing", "links", "network", "allowed hosts", "processes", "internals", "engine", "leftovers"]);
