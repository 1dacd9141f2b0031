import { installPeers, runPeers } from "./peers-directory.ts";

// What is compared is loaded in processes of their own: nothing of it is a dependency of this package. PEERS.md is written there.
installPeers();
console.log((await runPeers("compare-all.ts", [], ["--conditions=@dispatch/source"])).trim());
