// Preloaded into a studio whose tests need no machine: an idle program stands for its local agent, like an agent that hangs in its first
// moment. The start of an agent costs 0.8 s of processor time. The program reads the channel to the studio, so it ends with the studio.
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

const { spawn } = childProcess
const isAgent = (args: unknown): boolean => Array.isArray(args) && String(args[0]).endsWith('agent/main.ts')
const replaced = (program: string, args: readonly string[], options: childProcess.SpawnOptions): childProcess.ChildProcess =>
  isAgent(args) ? spawn('/bin/sh', ['-c', 'exec /bin/cat <&3 >/dev/null'], options) : spawn(program, args, options)
childProcess.spawn = replaced as typeof spawn
syncBuiltinESMExports()
