import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Dialler } from '#control-plane/sessions/dialler.ts'
import type { Listeners } from '#control-plane/sessions/listeners.ts'
import { createRemoteAccess } from '#control-plane/sessions/remote-access.ts'

test('turned on and off at once, it is off: the port that was being opened is closed', async () => {
  const listening = Promise.withResolvers<void>()
  const on = new Set<string>()
  const listeners = {
    async openPort() {
      await listening.promise
      on.add('port')
    },
    closePort: () => void on.delete('port'),
  } as unknown as Listeners
  const dialler = {
    start: () => void on.add('dialling'),
    stop: async () => void on.delete('dialling'),
  } as unknown as Dialler
  const access = createRemoteAccess(listeners, dialler)
  const both = [access.openPort(), access.closePort()]
  listening.resolve()
  await Promise.all(both)
  assert.equal(on.size, 0)
})
