import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createHistory } from '#control-plane/areas/library/history.store.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

test('the times of earlier versions are listed with two decimals', (t) => {
  const audioFolder = temporaryFolder(t)
  const history = createHistory({ db: openLedger(t).db, clock: createFakeClock(), audioFolder, cap: () => 0 })
  writeFileSync(join(audioFolder, 'a.wav'), '')
  const texts = { text: '', mode: 'design', language: 'Auto', instruct: '', profile_id: '', engine: '', voice: '', notice: '' }
  const times = [0.123456789, 0.29, 12.3049, 7]
  for (const [at, generation_time] of times.entries())
    history.add({ ...texts, id: `take${at}`, audio_path: 'a.wav', duration_seconds: 1, generation_time, seed: 1 })
  assert.deepEqual(
    history.list().map(({ generation_time }) => generation_time),
    [7, 12.3, 0.29, 0.12],
  )
})
