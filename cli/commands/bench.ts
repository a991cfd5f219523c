import { join } from 'node:path'
import { runProgram } from '../lib/child.ts'
import { ROOT, type Run } from '../lib/command.ts'

export const run: Run = (args, { env, interrupted }) =>
  runProgram(process.execPath, [join(ROOT, 'bench/main.ts'), ...args], { env, signal: interrupted() })
