// Transcripts in English: by a recogniser that translates, else by a translator of this machine, else a refusal that names the remedy.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTranslation } from '#control-plane/features/listening/recognition/translation.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import type { Inference, Request } from '#control-plane/inference/run.ts'
import type { AsrResult } from '#shared/operations/asr.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { offer } from '#test/support/doubles/offers.ts'

const translator = (engine: string, languages: string[]) => offer({ engine, operation: 'translate', languages })
const OPUS = translator('opus-mt', ['de', 'en'])
const M2M = translator('m2m100', ['*'])
const APERTIUM = translator('apertium', ['es', 'en', 'ca'])
const caller = { signal: new AbortController().signal, traceparent: '' }
const transcript = (texts: readonly string[]): AsrResult => ({
  text: texts.join(' '),
  language: 'de',
  segments: texts.map((text, at) => ({ start: at, end: at + 1, text, words: [{ start: at, end: at + 1, word: text }] })),
  duration: texts.length,
  notices: ['as before'],
})

function open(offers: readonly Offer[], fails: Readonly<Record<string, Failure>> = {}) {
  const requests: { engine: string; texts: readonly string[]; source: string }[] = []
  const run = async ({ engine, params }: Request<'translate'>) => {
    requests.push({ engine, ...params })
    if (fails[engine]) throw fails[engine]
    return {
      texts: params.texts.map((text) => `${text} in English`),
      notices: params.texts.includes('endless') ? ['One sentence is unfinished.'] : [],
    }
  }
  return { requests, translate: createTranslation({ offered: () => offers, inference: { run } as unknown as Inference }) }
}

test('the segments are translated by the best translator that has the language, and the notice names it', async () => {
  const { translate, requests } = open([APERTIUM, M2M, OPUS])
  const { text, language, segments, notices, duration } = await translate(transcript(['eins', 'zwei']), 'de-AT', caller)
  assert.deepEqual([text, language, duration], ['eins in English zwei in English', 'en', 2])
  assert.deepEqual(segments[1], { start: 1, end: 2, text: 'zwei in English' })
  assert.deepEqual(notices, ['as before', 'opus-mt translated the transcript.'])
  assert.deepEqual(requests, [{ engine: 'opus-mt', texts: ['eins', 'zwei'], source: 'de', target: 'en' }])
  const other = open([APERTIUM, OPUS])
  await other.translate(transcript(['uno']), 'es', caller)
  assert.deepEqual(
    other.requests.map(({ engine }) => engine),
    ['apertium'],
  )
})

test('a translation that keeps Chinese writing has no blanks', async () => {
  const inference = { run: async () => ({ texts: ['你好。', '再见。'], notices: [] }) } as unknown as Inference
  const { text } = await createTranslation({ offered: () => [M2M], inference })(transcript(['eins', 'zwei']), 'de', caller)
  assert.equal(text, '你好。再见。')
})

test('a long transcript is translated in several tasks', async () => {
  const { translate, requests } = open([M2M])
  const { segments } = await translate(transcript(Array.from({ length: 2_500 }, (_, at) => `t${at}`)), 'ja', caller)
  assert.deepEqual(
    requests.map(({ texts }) => texts.length),
    [500, 500, 500, 500, 500],
  )
  assert.equal(segments[2_499]!.text, 't2499 in English')
})

test('a notice of the translator is passed on once', async () => {
  const { translate } = open([M2M])
  const { notices } = await translate(transcript(Array<string>(1_500).fill('endless')), 'ja', caller)
  assert.deepEqual(notices, ['as before', 'm2m100 translated the transcript.', 'One sentence is unfinished.'])
})

test('English is returned unchanged', async () => {
  const { translate, requests } = open([M2M])
  assert.deepEqual(await translate(transcript(['one']), 'en-GB', caller), { ...transcript(['one']), language: 'en' })
  assert.deepEqual(requests, [])
})

test('a translator without the pair is followed by the next; without any, the refusal names the remedy', async () => {
  const noPair = { 'opus-mt': new Failure('INVALID_TASK_PARAMS', 'no pair') }
  const { translate, requests } = open([OPUS, M2M], noPair)
  await translate(transcript(['eins']), 'de', caller)
  assert.deepEqual(
    requests.map(({ engine }) => engine),
    ['opus-mt', 'm2m100'],
  )
  for (const [offers, source, reason] of [
    [[OPUS], 'de', /No program on this machine translates German to English/],
    [[APERTIUM], 'ja', /translates Japanese to English/],
    [[M2M], '', /language of the recording was not identified/],
    [[M2M], '\u0000!', /language of the recording was not identified/],
  ] as const) {
    await assert.rejects(open(offers, noPair).translate(transcript(['x']), source, caller), (error) => {
      assert.ok(error instanceof Failure)
      assert.deepEqual([error.code, (error.detail as { error: string }).error], ['MODEL_NOT_INSTALLED', 'asr_model_missing'])
      assert.match(error.message, reason)
      assert.match(error.message, /Install a Whisper model/)
      return true
    })
  }
  const crashed = open([OPUS, M2M], { 'opus-mt': new Failure('ENGINE_CRASHED', 'it died') })
  const { notices } = await crashed.translate(transcript(['eins']), 'de', caller)
  assert.deepEqual(notices.slice(1), ['m2m100 translated the transcript.', 'opus-mt did not translate de to en: it died'])
  const alone = open([OPUS], { 'opus-mt': new Failure('ENGINE_CRASHED', 'it died') })
  await assert.rejects(alone.translate(transcript(['eins']), 'de', caller), { code: 'ENGINE_CRASHED' })
})
