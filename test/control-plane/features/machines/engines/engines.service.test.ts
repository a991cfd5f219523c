import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEngines } from '#control-plane/features/machines/engines/engines.service.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import { createOwnerSettings } from '#control-plane/store/setting.ts'
import type { Overrides } from '#shared/protocol/settings.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { offer } from '#test/support/doubles/offers.ts'
import { createFakeSettings } from '#test/support/doubles/settings.ts'

function open({ offers = [] as Offer[], where = 'local', overrides = {} as Overrides, isLlmReady = false } = {}) {
  const settings = createFakeSettings()
  const choices = createOwnerSettings(settings, overrides)
  const deps = {
    settings: choices,
    offered: () => offers,
    target: () => where,
    lastErrors: () => new Map(),
    unlicensed: () => new Set<string>(),
    isLlmReady: () => isLlmReady,
    clock,
  }
  return { engines: createEngines(deps), again: () => createEngines(deps), offers, settings }
}
const refused = (pattern: RegExp) => (error: Error & { code?: string }) => error.code === 'BAD_REQUEST' && pattern.test(error.message)

test('a selection survives a restart and can be changed; an engine that cannot run is refused with the reason', async () => {
  const { engines, again } = open({ offers: [offer({}), offer({ engine: 'kokoro' })] })
  assert.equal(engines.active('tts'), 'svc-engine')
  assert.deepEqual(await engines.select('tts', 'kokoro', null), {
    family: 'tts',
    active: 'kokoro',
    env_override: false,
    routing_status: 'cpu_only',
    effective_device: 'cpu',
    routing_reason: null,
  })
  assert.equal(again().active('tts'), 'kokoro')
  await assert.rejects(() => engines.select('video', 'kokoro', null), refused(/Unknown family 'video'.*tts, asr, llm/))
  await assert.rejects(() => engines.select('tts', 'unknown', null), refused(/Unknown tts engine 'unknown'.*svc-engine/))
  await assert.rejects(() => engines.select('asr', 'kokoro', null), refused(/Unknown asr engine/))
  await assert.rejects(() => engines.select('tts', 'voxcpm2', null), refused(/'voxcpm2' cannot be used: It is not installed.*sidecar/))
  await assert.rejects(() => engines.select('tts', 'kokoro', 'big'), refused(/no models to choose/))
  assert.equal(engines.active('tts'), 'kokoro', 'a refusal changes nothing')
})

test('the environment overrides the selection, which the reply shows', async () => {
  const { engines } = open({ offers: [offer({}), offer({ engine: 'kokoro' })], overrides: { STUDIO_TTS_BACKEND: 'kokoro' } })
  const answer = await engines.select('tts', 'svc-engine', null)
  assert.deepEqual([answer.active, answer.env_override], ['kokoro', true])
  assert.deepEqual([engines.tts().active, engines.tts().env_override], ['kokoro', true])
  const unknown = open({ overrides: { STUDIO_TTS_BACKEND: 'no-such-engine' } }).engines
  assert.deepEqual([unknown.tts().active, unknown.tts().env_override], ['svc-engine', false])
})

test('the rows are those of the target machine', () => {
  const offers = [offer({}), offer({ engine: 'kokoro', workerId: 'attic' })]
  const availableAt = (where: string) =>
    open({ offers, where })
      .engines.tts()
      .backends.flatMap(({ id, available }) => (available ? [id] : []))
  assert.deepEqual(availableAt('local'), ['svc-engine'])
  assert.deepEqual(availableAt('attic'), ['kokoro'])
  assert.deepEqual(availableAt('auto'), ['svc-engine', 'kokoro'])
  assert.deepEqual(availableAt('gone'), [])
})

test('without a selection, recognition uses the best available engine', () => {
  assert.equal(open().engines.active('asr'), 'faster-whisper')
  assert.equal(open({ offers: [offer({ engine: 'pocketsphinx', operation: 'asr' })] }).engines.active('asr'), 'pocketsphinx')
  assert.equal(open().engines.active('llm'), 'off')
  const { engines, settings } = open()
  void settings.set('asr_backend', 'an-engine-of-yesterday')
  assert.equal(engines.active('asr'), 'faster-whisper', 'an unknown selection counts as none')
})

test('health answers for every known engine, and is NOT_FOUND for others', () => {
  const { engines } = open({ offers: [offer({})] })
  assert.deepEqual({ ...engines.health('svc-engine'), latency_ms: 0 }, { id: 'svc-engine', ok: true, message: 'Healthy', latency_ms: 0 })
  assert.equal(engines.health('off').ok, true)
  assert.equal(engines.health('whisperx').ok, false)
  assert.throws(() => engines.health('unknown'), { code: 'NOT_FOUND' })
})

test('the endpoint for language models is available when the owner configured one', () => {
  const row = (isLlmReady: boolean) => {
    const { active, backends } = open({ isLlmReady }).engines.llm()
    return [active, backends.find(({ id }) => id === 'openai-compat')?.available]
  }
  assert.deepEqual(row(false), ['off', false])
  assert.deepEqual(row(true), ['openai-compat', true])
})
