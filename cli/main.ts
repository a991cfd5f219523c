// The program behind ./studio. Runs one command and maps its end to an exit status. It loads the command last, because only later imports are
// resolved our way.
import '#shared/runtime/builtin/imports.ts'

const [{ runCli }, { isInterrupted, terminal }] = await Promise.all([import('./run.ts'), import('./terminal.ts')])
process.exitCode = await runCli(process.argv.slice(2), terminal, isInterrupted)
