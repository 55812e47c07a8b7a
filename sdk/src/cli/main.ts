#!/usr/bin/env node
import { endWithOutput } from "./endWithOutput.ts";
import { runCli } from "./program.ts";

endWithOutput();
process.exitCode = await runCli(process.argv.slice(2));
