import { describeEngines } from "./all-engines.ts";
import { testEngine } from "./engine-contract.ts";

describeEngines(({ open }) => testEngine(() => open()));
