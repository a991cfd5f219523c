// The program behind ./studio. Runs one command and maps its end to an exit status.

import '#shared/runtime/builtin/imports.ts'
import { isInterrupted, terminal } from '#cli/lib/terminal.ts'
import { runCli } from './run.ts'

const status = await runCli(process.argv.slice(2), terminal, isInterrupted)
process.exitCode = isInterrupted() ? 130 : status
