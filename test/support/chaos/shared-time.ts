// Loaded into a studio before it starts: the agent it starts lives in the same shifted time. A studio hands nothing of its environment to
// its agent that it does not know, so a test has to.
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

const shift = Object.fromEntries(Object.entries(process.env).filter(([name]) => name === 'LD_PRELOAD' || name.startsWith('FAKETIME')))
const spawn = childProcess.spawn
childProcess.spawn = ((command: string, args: readonly string[], options: childProcess.SpawnOptions = {}) =>
  spawn(command, args, options.env ? { ...options, env: { ...options.env, ...shift } } : options)) as typeof spawn
syncBuiltinESMExports()
