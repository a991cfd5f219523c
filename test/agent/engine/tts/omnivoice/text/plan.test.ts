import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { loopSettings } from '#agent/engine/tts/omnivoice/speak.ts'
import { toPasses } from '#agent/engine/tts/omnivoice/text/plan.ts'
import { engineParameters } from '#control-plane/features/speech/speech/generate.rules.ts'
import { GenerateForm } from '#control-plane/features/speech/speech/speech.schema.ts'
import { TtsParams } from '#shared/operations/tts.ts'

const asked = (more: object) => TtsParams.parse({ segments: [{ text: 'Hello there, you.' }], ...more })
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const long = 'A sentence of ordinary length, with a clause. '.repeat(40)

test('the parameters of /generate reach the loop', () => {
  const form = GenerateForm.parse({
    text: 'Hi',
    num_step: '24',
    guidance_scale: '3.5',
    t_shift: '0.2',
    layer_penalty_factor: '4',
    position_temperature: '1.5',
    class_temperature: '0.5',
    duration: '3',
    speed: '1.25',
    denoise: 'false',
  })
  const wanted = TtsParams.parse({ segments: [{ text: 'Hi' }], ...engineParameters(form) })
  assert.deepEqual(loopSettings(wanted), {
    steps: 24,
    guidance: 3.5,
    shift: 0.2,
    layerPenalty: 4,
    positionTemperature: 1.5,
    classTemperature: 0.5,
  })
  assert.deepEqual([wanted.duration, wanted.speed, wanted.denoise], [3, 1.25, false])
  const bare = TtsParams.parse({ segments: [{ text: 'Hi' }], ...engineParameters(GenerateForm.parse({ text: 'Hi' })) })
  assert.deepEqual(loopSettings(bare), {
    steps: 16,
    guidance: 2,
    shift: 0.1,
    layerPenalty: 5,
    positionTemperature: 5,
    classTemperature: 0,
  })
})

test('a text of up to thirty seconds is one pass, a longer one is cut to fifteen', () => {
  assert.equal(toPasses(asked({}), null).length, 1)
  const passes = toPasses(asked({ segments: [{ text: long }] }), null)
  assert.ok(passes.length > 4)
  assert.ok(passes.every(({ frames }) => frames <= 16 * 25))
  assert.deepEqual(
    passes.map(({ isFirst, isLast }) => [isFirst, isLast]),
    passes.map((_, at) => [at === 0, at === passes.length - 1]),
  )
  const bare = (text: string) => text.replace(/\s+/g, '')
  assert.equal(bare(passes.map(({ text }) => text).join('')), bare(long))
  const unbroken = toPasses(asked({ segments: [{ text: 'word '.repeat(900) }] }), null)
  assert.ok(
    unbroken.every(({ frames }) => frames <= 31 * 25),
    'text without punctuation is cut too',
  )
})

test('a requested duration is met to the frame for any text', () => {
  const segments = fc.array(
    fc.record({ text: fc.constantFrom('One.', 'Two words.', long, '你好'), pause_after_ms: fc.constantFrom(0, 200) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  fc.assert(
    fc.property(segments, fc.integer({ min: 5, max: 60 }), (list, seconds) => {
      const pauses = sum(list.map(({ pause_after_ms }) => pause_after_ms)) / 1000
      const passes = toPasses(asked({ segments: list, duration: seconds + pauses }), null)
      const least = passes.length // at least a frame each, even when there are more chunks than frames
      assert.equal(sum(passes.map(({ frames }) => frames)), Math.max(seconds * 25, least))
    }),
  )
})

test('a duration that is too short or too long is rejected', () => {
  const refused = { code: 'INVALID_TASK_PARAMS' }
  assert.throws(() => toPasses(asked({ segments: [{ text: 'Hi', pause_after_ms: 2_000 }], duration: 1 }), null), refused)
  assert.throws(() => toPasses(asked({ duration: 86_400 }), null), refused)
})
