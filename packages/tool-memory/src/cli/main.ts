#!/usr/bin/env node
import { runProgram } from "./run-cli.ts";

await runProgram();
