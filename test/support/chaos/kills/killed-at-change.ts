// Preloaded into a process that is killed right before it changes the disk for the nth time. VOICE_STUDIO_TEST_KILL_AT: n, from 1.
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const wanted = Number(process.env['VOICE_STUDIO_TEST_KILL_AT'])
let changes = 0
const before = () => {
  if (++changes === wanted) process.kill(process.pid, 'SIGKILL')
}
type Call = (...args: unknown[]) => unknown
function counted(owner: object, names: readonly string[]): void {
  const calls = owner as Record<string, Call>
  for (const name of names) {
    const call = calls[name]!
    calls[name] = function (this: unknown, ...args: unknown[]) {
      before()
      return call.apply(this, args)
    }
  }
}

const handle = await promises.open('/dev/null', 'r')
counted(Object.getPrototypeOf(handle), ['write', 'truncate', 'sync'])
await handle.close()
counted(fs, ['renameSync', 'rmSync', 'mkdirSync', 'writeFileSync', 'writeSync', 'fsyncSync', 'openSync', 'linkSync'])
counted(promises, ['open', 'copyFile', 'link', 'rename', 'rm', 'mkdir'])
syncBuiltinESMExports()
