import { tryAttacks } from "./attack-suite.ts";

tryAttacks(["messages", "builtins", "limits", "endings"]);
