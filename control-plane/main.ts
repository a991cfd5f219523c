// The entry of the studio program. It loads the program itself last, because only later imports are resolved our way.
import '#shared/runtime/builtin/imports.ts'
import type { ProgramReports } from './studio.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Same as `run` of studio.ts. */
export async function main(env: Env, reports?: ProgramReports): Promise<number> {
  const { run } = await import('./studio.ts')
  return run(env, reports)
}

if (import.meta.main) process.exitCode = await main(process.env)
