import { installPeers, runPeers } from "./peers-directory.ts";

// The peers are loaded in processes of their own: none is a dependency of this package.
installPeers();
console.log((await runPeers("compare-all.ts", [], ["--conditions=@dispatch/source"])).trim());
