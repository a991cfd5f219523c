import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDownloadStates } from '#control-plane/features/machines/models/install/download-states.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

test('a new server ends the wait after failures and keeps their reasons', async () => {
  const states = createDownloadStates({ jobs: { page: async () => [] }, clock: createFakeClock() })
  const place = { where: 'local', repo_id: 'a/b' }
  states.failed(place, { message: 'no route', code: 'INPUT_FETCH_FAILED' })
  assert.equal(states.coolMs(place), 60_000)
  states.forgiveAll()
  assert.ok(states.coolMs(place) <= 0)
  assert.deepEqual(await states.failureOf(place), { state: 'failed', error: 'no route', code: 'INPUT_FETCH_FAILED', position: null })
})
