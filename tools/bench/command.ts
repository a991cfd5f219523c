import { join } from 'node:path'
import { runProgram } from '#cli/lib/child.ts'
import { type CommandRun, ROOT } from '#cli/lib/command.ts'

export const run: CommandRun = (args, { env, interrupted }) =>
  runProgram(process.execPath, [join(ROOT, 'bench/main.ts'), ...args], { env, signal: interrupted() })
