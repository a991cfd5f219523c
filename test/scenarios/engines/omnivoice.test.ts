// POST /generate with a generated OmniVoice model: languages outside of its table, descriptions of voices, and references with a transcript.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { placeOmnivoice } from '#test/support/models/placed.ts'
import { form } from '#test/support/world/http.ts'
import { sharedWorld } from '#test/support/world/world.ts'

function recording(seconds: number): Buffer<ArrayBuffer> {
  const samples = Float32Array.from({ length: seconds * 24_000 }, (_, at) => 0.2 * Math.sin(at / 19))
  return Buffer.concat([wavHeader({ sampleRate: 24_000, channels: 1, samples: samples.length }), toS16(samples)])
}

const open = sharedWorld({ prepare: placeOmnivoice })

test('OmniVoice', async (t) => {
  const world = await open()
  const generate = async (fields: Parameters<typeof form>[0]) =>
    await world.post('/generate', form({ engine: 'svc-engine', num_step: '4', seed: '7', effect_preset: 'raw', text: 'Hello.', ...fields }))
  const noticeOf = async (fields: Parameters<typeof form>[0]) => {
    const reply = await generate(fields)
    assert.equal(reply.status, 200, reply.body.toString().slice(0, 300))
    return reply.headers.get('x-svc-notice') ?? ''
  }

  await t.test('a language outside of the table goes as none, and the response says so', async () => {
    assert.match(await noticeOf({ language: 'ar' }), /no language "ar".*arb \(Standard Arabic\)/)
    for (const language of ['Lao', 'pt-BR', 'Auto']) assert.doesNotMatch(await noticeOf({ language }), /language/, language)
  })

  await t.test('a description is accepted in both languages, and other words are refused', async () => {
    for (const instruct of ['elderly woman, whispering', '女，四川话']) assert.doesNotMatch(await noticeOf({ instruct }), /instruct/)
    const refused = await generate({ instruct: 'grumpy' })
    assert.equal(refused.status, 400)
    assert.match(refused.body.toString(), /grumpy/)
  })

  await t.test('a reference with its transcript is used whole', async () => {
    const notice = await noticeOf({ ref_audio: recording(12), ref_text: 'A long tone' })
    assert.doesNotMatch(notice, /cut|first|transcri/)
  })
})
