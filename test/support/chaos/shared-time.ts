// Preloaded into a studio: its agent uses the same shifted time. A studio passes no unknown environment variables to its agent, so the test
// does that here.
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

const shift = Object.fromEntries(Object.entries(process.env).filter(([name]) => name === 'LD_PRELOAD' || name.startsWith('FAKETIME')))
const spawn = childProcess.spawn
childProcess.spawn = ((command: string, args: readonly string[], options: childProcess.SpawnOptions = {}) =>
  spawn(command, args, options.env ? { ...options, env: { ...options.env, ...shift } } : options)) as typeof spawn
syncBuiltinESMExports()
