// The entry of the studio program. It loads the program itself last, because only later imports are resolved our way.
import '#shared/runtime/builtin/imports.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Resolves with the exit status: 0 after a clean stop, 1 for a failure that was printed, 78 for invalid settings. */
export async function main(env: Env): Promise<number> {
  const { run } = await import('./studio.ts')
  return run(env)
}

if (import.meta.main) process.exitCode = await main(process.env)
