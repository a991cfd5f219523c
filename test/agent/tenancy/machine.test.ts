// What a machine keeps of its tenants.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { noLogLines } from '#agent/connection/log-lines.ts'
import { createMachine } from '#agent/tenancy/machine.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { turn } from '#test/support/doubles/fake-clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test('a machine keeps its open tenants, and nothing of those that were closed', async (t) => {
  const machine = createMachine({
    folder: temporaryFolder(t),
    development: true,
    downloadSource: () => ({ url: 'http://127.0.0.1:1', token: null, tokenUrl: 'http://127.0.0.1:1' }),
    modelsCache: null,
    hostEnvironment: {},
    clock,
    random,
    log,
    lines: { of: () => noLogLines },
  })
  t.after(() => machine.stop())
  const openTenant = (name: string, isClosed: boolean) => {
    const tenant = machine.openTenant(name)
    if (isClosed) tenant.close('the test closes it')
    return new WeakRef(tenant)
  }
  const [kept, closed] = [openTenant('kept', false), openTenant('closed', true)]
  await turn() // a WeakRef holds its target until the end of the turn that made it
  collectGarbage()
  assert.ok(kept.deref())
  assert.equal(closed.deref(), undefined)
})
