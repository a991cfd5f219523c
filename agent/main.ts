// The entry of the agent program. It loads the program itself last, because only later imports are resolved our way.
import '#shared/runtime/builtin/imports.ts'
import type { EnrolmentChange, OnStarted } from './program.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Same as `run` of program.ts. */
export async function main(args: readonly string[], env: Env, onStarted?: OnStarted, onFinished?: () => void): Promise<number> {
  const { run } = await import('./program.ts')
  return run(args, env, onStarted, onFinished)
}

/** Same as `changeEnrolment` of program.ts. */
export async function joinOrLeave(args: readonly string[], env: Env): Promise<EnrolmentChange> {
  const program = await import('./program.ts')
  return program.changeEnrolment(args, env)
}

if (import.meta.main)
  process.exitCode = await main(process.argv.slice(2), process.env).catch(async (error: unknown) => {
    const { cleanLine } = await import('#shared/protocol/fields/clean-text.ts')
    process.stderr.write(`agent: ${cleanLine(error instanceof Error ? error.message : String(error))}\n`)
    return 1
  })
