// The program of the package for lenders. It loads the command last, because only later imports are resolved our way.
import '#shared/runtime/builtin/imports.ts'

const [{ runAgentCli }, { isInterrupted, terminal }] = await Promise.all([import('./agent-run.ts'), import('./terminal.ts')])
process.exitCode = await runAgentCli(process.argv.slice(2), terminal, isInterrupted)
