// Preloaded into a program: kills it (SIGKILL) right before the nth call that changes a temporary file or a database
// (VOICE_STUDIO_TEST_KILL_AT).
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import Sqlite from 'better-sqlite3'

const at = Number(process.env['VOICE_STUDIO_TEST_KILL_AT'])
const isTemporary = (path: unknown) => typeof path === 'string' && path.startsWith(tmpdir())
let steps = 0
function step(): void {
  if (++steps === at) process.kill(process.pid, 'SIGKILL')
}

const CHANGES = ['openSync', 'copyFileSync', 'linkSync', 'renameSync', 'rmSync', 'mkdtempSync', 'writeFileSync'] as const
for (const name of CHANGES) {
  const real = fs[name] as (...args: unknown[]) => unknown
  Object.assign(fs, {
    [name]: (...args: unknown[]) => {
      if (isTemporary(args[0])) step()
      return real.apply(fs, args)
    },
  })
}
syncBuiltinESMExports()

for (const name of ['exec', 'pragma', 'close', 'backup'] as const) {
  const real = Sqlite.prototype[name] as (...args: unknown[]) => unknown
  Object.assign(Sqlite.prototype, {
    [name](this: Sqlite.Database, ...args: unknown[]) {
      if (!this.memory) step()
      return real.apply(this, args)
    },
  })
}
