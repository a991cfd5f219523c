// The entry of the agent program. It loads the program itself last, because only later imports are resolved our way.
import '#shared/runtime/builtin/imports.ts'
import type { OnStarted } from './program.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Resolves with the exit status: 0 after a clean stop, 1 for a failure that was printed, 2 for wrong arguments, 78 for invalid settings. */
export async function main(args: readonly string[], env: Env, onStarted?: OnStarted): Promise<number> {
  const { run } = await import('./program.ts')
  return run(args, env, onStarted)
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2), process.env)
