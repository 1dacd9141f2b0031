import { installPeers, runPeers } from "./peers-directory.ts";

// The clients are loaded in processes of their own: nothing of them is a dependency of this package.
installPeers();
console.log((await runPeers("hostile/compare-hostile.ts", [], ["--conditions=@dispatch/source"])).trim());
