import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tasksAtOnce } from '#control-plane/inference/offers.ts'
import { offer } from '#test/support/doubles/offers.ts'

test('the tasks that run at once are those of all machines of the target, once for each machine', () => {
  const offers = [
    offer({ workerId: 'local', engine: 'tone', operation: 'tts', permits: 4 }),
    offer({ workerId: 'local', engine: 'tone', operation: 'tts', model: 'other', permits: 2 }),
    offer({ workerId: 'w1', engine: 'tone', operation: 'tts', permits: 1 }),
    offer({ workerId: 'w2', engine: 'tone', operation: 'tts', permits: 8, downloaded: false }),
    offer({ workerId: 'w3', engine: 'flite', operation: 'tts', permits: 8 }),
    offer({ workerId: 'w4', engine: 'tone', operation: 'asr', permits: 8 }),
  ]
  const permits = (target: string) => tasksAtOnce(offers, { engine: 'tone', operation: 'tts', target })
  assert.deepEqual([permits('auto'), permits('local'), permits('w1'), permits('w2')], [5, 4, 1, 0])
})
