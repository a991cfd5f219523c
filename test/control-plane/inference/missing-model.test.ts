import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelNeededBy } from '#control-plane/inference/missing-model.ts'
import { offer } from '#test/support/doubles/offers.ts'

const needed = (engine: string, ...offers: ReturnType<typeof offer>[]) => modelNeededBy(engine, offers)?.id ?? null

test('an engine needs a model only while no machine can speak with it', () => {
  const engine = 'kittentts'
  const bare = offer({ engine, downloaded: false })
  assert.equal(needed(engine, bare), 'KittenML/kitten-tts-nano-0.8-fp32')
  assert.equal(needed(engine, bare, offer({ engine, model: 'mini-0.8' })), null)
  assert.equal(needed(engine, bare, offer({ engine, workerId: 'attic' })), null)
  const substitute = offer({ implementation: 'flite', stands_in: 'Flite speaks.' })
  assert.equal(needed('svc-engine', offer({ downloaded: false }), substitute), null)
})

test('nothing is missing before the local agent has described itself, nor for an engine without models', () => {
  assert.equal(needed('kittentts'), null)
  assert.equal(needed('kittentts', offer({ engine: 'kittentts', workerId: 'attic', downloaded: false })), null)
  assert.equal(needed('cosyvoice', offer({ engine: 'cosyvoice', downloaded: false })), null)
})
