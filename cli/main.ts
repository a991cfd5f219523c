// The program behind ./studio. Runs one command and maps its end to an exit status.

import '#shared/runtime/builtin/imports.ts'
import { runCli } from './run.ts'
import { isInterrupted, terminal } from './terminal.ts'

process.exitCode = await runCli(process.argv.slice(2), terminal, isInterrupted)
