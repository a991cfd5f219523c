// The engine and the machine for a public model name, and the notice for the client.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Offer } from '#control-plane/inference/offers.ts'
import type { Inference, Request, Run } from '#control-plane/inference/run.ts'
import { mostSoundBytes } from '#control-plane/inference/sound-limit.ts'
import { createSynthesis, type SpeechRequest } from '#control-plane/inference/synthesis.ts'
import type { OutputPiece } from '#control-plane/tasks/output.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import { offer } from '#test/support/doubles/offers.ts'

const { signal } = new AbortController()
const speech = (model: string, language: string | null = null, more: Partial<SpeechRequest> = {}): SpeechRequest => ({
  model,
  params: { segments: [{ text: 'hello' }], language },
  idempotencyKey: null,
  ephemeral: true,
  traceparent: '',
  ...more,
})
const reference = { name: 'reference', size: 1, sha256: 'aa' }

function open(offers: readonly Offer[], where = 'local', selected = 'svc-engine', more: Partial<Inference> = {}) {
  const requests: Request[] = []
  const inference = {
    start: async (request: Request) => {
      requests.push(request)
      return { taskId: 't1', spec: { engine: request.engine, operation: 'tts' } }
    },
    workerOf: () => 'local',
    resultSoFar: () => null,
    ...more,
  } as unknown as Inference
  const synthesis = createSynthesis({
    inference,
    offered: () => offers,
    target: () => where,
    fallback: () => null,
    labelOf: (id) => `label of ${id}`,
    selected: () => selected,
  })
  const engineFor = async (request: SpeechRequest) => {
    await synthesis.start(request, signal)
    return requests.at(-1)!.engine
  }
  return { synthesis, engineFor, requests }
}
const native = offer({ engine: 'svc-engine', stands_in: 'Flite answers.' })
const espeak = offer({ engine: 'espeak-ng', languages: ['de', 'en'] })
const kokoro = offer({ engine: 'kokoro', cloning: false })
const moss = offer({ engine: 'moss-tts-nano', cloning: true })

test('an alias means the selected engine, any other name itself', async () => {
  const { engineFor, requests } = open([native, kokoro, espeak], 'local', 'kokoro')
  assert.deepEqual([await engineFor(speech('tts-1')), await engineFor(speech('espeak-ng'))], ['kokoro', 'espeak-ng'])
  assert.equal(await engineFor(speech('svc-engine')), 'kokoro', 'the native engine has no model')
  assert.deepEqual([requests[0]!.target, requests[0]!.params], ['local', { segments: [{ text: 'hello' }], language: null }])
})

test('the native engine is substituted only in a language that it lacks', async () => {
  const { engineFor } = open([native, espeak])
  const answers: string[] = []
  for (const language of ['en', 'German', 'ja', null]) answers.push(await engineFor(speech('svc-engine', language)))
  assert.deepEqual(answers, ['svc-engine', 'espeak-ng', 'svc-engine', 'svc-engine'])
})

test('unknown names and missing engines are refused; a task waits for a disconnected machine', async () => {
  const { engineFor } = open([native])
  await assert.rejects(engineFor(speech('no-such')), { code: 'MODEL_NOT_FOUND', message: /^Unknown model 'no-such'\. Use one of tts-1, / })
  await assert.rejects(engineFor(speech('kokoro')), { code: 'MODEL_NOT_INSTALLED', message: /^Engine 'kokoro' is not available: / })
  assert.equal(await open([native], 'gpu-1').engineFor(speech('kokoro')), 'kokoro')
})

test('an engine whose model is on no machine of the target is refused with what to install there', async () => {
  const bare = offer({ engine: 'kokoro', downloaded: false })
  const refusal = async (where: string, offers: readonly Offer[]) => {
    const { engineFor, synthesis } = open(offers, where)
    assert.throws(() => synthesis.check('kokoro', { segments: [] }), { code: 'MODEL_NOT_DOWNLOADED' })
    return await engineFor(speech('kokoro')).then(assert.fail, (error) => error as Failure)
  }
  const { code, message, detail } = await refusal('local', [native, bare])
  assert.equal(code, 'MODEL_NOT_DOWNLOADED')
  assert.match(message, /^Engine 'kokoro' is not available: its model is not installed on this machine\. .*onnx-community\/Kokoro/)
  const { target, target_label, downloadable } = detail as Record<string, unknown>
  assert.deepEqual([target, target_label, downloadable], ['local', 'label of local', true])
  const remote = await refusal('gpu-1', [kokoro, { ...bare, workerId: 'gpu-1' }])
  assert.match(remote.message, /installed on label of gpu-1\./)
  assert.equal((remote.detail as Record<string, unknown>)['target'], 'gpu-1')
  assert.match((await refusal('auto', [bare, { ...bare, workerId: 'gpu-1' }])).message, /any connected machine/)
  // One machine that has it is enough, and so is a substitute under the same name.
  assert.equal(await open([bare, { ...kokoro, workerId: 'gpu-1' }], 'auto').engineFor(speech('kokoro')), 'kokoro')
  assert.equal(await open([offer({ downloaded: false }), native]).engineFor(speech('svc-engine')), 'svc-engine')
})

test('a reference is refused if the named engine cannot clone it, and never substituted', async () => {
  const { engineFor, synthesis } = open([native, kokoro, espeak, moss, { ...moss, workerId: 'gpu-1' }])
  assert.equal(await engineFor(speech('moss-tts-nano', 'de', { reference })), 'moss-tts-nano')
  await assert.rejects(engineFor(speech('kokoro', null, { reference })), { code: 'BAD_REQUEST' })
  assert.equal(synthesis.cloningEngine('moss-tts-nano'), 'moss-tts-nano')
  assert.throws(() => synthesis.cloningEngine('svc-engine'), { code: 'MODEL_NOT_DOWNLOADED' })
})

test('the notice names the substitute, the missing voice and a disconnected machine', async () => {
  const { synthesis } = open([native, espeak])
  const none = { voice: null, language: null, reported: null, segments: [{ text: 'Hello.' }] }
  const run = { taskId: 't1', spec: { engine: 'espeak-ng', operation: 'tts', params: '{}' } } as unknown as Run<'tts'>
  const substitute = await synthesis.offerFor(run, 'svc-engine')
  assert.deepEqual(synthesis.notice(substitute, none), {
    routing: 'stand_in',
    reason: 'Using eSpeak NG, because the model of Voice Studio engine is not installed.',
    information: [],
  })
  assert.deepEqual(synthesis.notice(offer(), { ...none, voice: 'two' }, [], ['Mono only.']), {
    routing: 'notice',
    reason: 'There is no voice two. The default voice one was used.',
    information: ['Mono only.'],
  })
  const spoken = { ...none, voice: 'two', reported: 'three' }
  assert.equal(
    synthesis.notice(offer(), spoken)!.reason,
    'There is no voice two. The default voice three was used.',
    'as the engine reports',
  )
  assert.equal(synthesis.notice(offer(), { ...spoken, reported: 'two' }), null)
  const older = offer({ voices: [{ id: 'one', name: 'One', language: 'en' }] })
  assert.equal(synthesis.notice(older, { ...none, voice: 'two' })!.reason, 'There is no voice two. The default voice was used.')
  // The only value besides `remote_failed` that clients of the specification understand.
  const onGpu = open([native, moss, { ...kokoro, device: 'cuda' }]).synthesis
  assert.deepEqual(onGpu.notice(moss, none), {
    routing: 'cpu_fallback',
    reason: 'It could not start on the GPU.',
    information: [],
  })
  assert.equal(synthesis.notice(moss, none), null)
  assert.match(synthesis.notice(undefined, none)!.reason, /^The machine has disconnected/)
  assert.equal(synthesis.notice(offer(), { ...none, voice: 'one' }), null)
  assert.equal(await synthesis.sampleRateOf(run), 24_000)
})

test('a stream ends where it has much more sound than the text can last', async () => {
  const most = mostSoundBytes({ segments: [{ text: 'a'.repeat(40), pause_after_ms: 1_000 }, { text: 'b' }], duration: 10 })
  assert.equal(most, (60 + 40 + 1 + 60 + 1 + 10) * 192_000)
  let isClosed = false
  async function* endless(): AsyncGenerator<OutputPiece> {
    try {
      for (;;) yield { part: 0, bytes: Buffer.alloc(1_000) }
    } finally {
      isClosed = true
    }
  }
  const stream = async () => ({ pieces: endless(), spec: {}, taskId: 't1' })
  const { synthesis } = open([native], 'local', 'svc-engine', { stream } as unknown as Partial<Inference>)
  const { pieces } = await synthesis.stream(speech('svc-engine'), signal)
  let read = 0
  const all = async () => {
    for await (const { bytes } of pieces) read += bytes.length
  }
  await assert.rejects(all(), { code: 'INVALID_RESULT', message: /more sound/ })
  assert.deepEqual([read, isClosed], [mostSoundBytes({ segments: [{ text: 'hello' }] }), true])
})

test('a text whose language the voice lacks is spoken with a notice, unless its language was named', () => {
  const voices = [
    { id: 'af_heart', name: 'Heart', language: 'en', default_for: ['', 'en'] },
    { id: 'ff_siwis', name: 'Siwis', language: 'fr', default_for: ['fr'] },
  ]
  const { synthesis } = open([])
  const said = (text: string, more: object = {}, overrides: Partial<Offer> = {}) =>
    synthesis.notice(offer({ engine: 'kokoro', languages: ['en', 'fr'], voices, ...overrides }), {
      ...{ voice: null, language: null, reported: null },
      segments: [{ text }],
      ...more,
    })
  const german = 'Wir haben das Haus nicht gesehen, und ich war auch nicht im Garten.'
  const french = 'Je ne suis pas dans la maison avec vous, et le jardin est pour les enfants.'
  assert.deepEqual(said(german)?.information, ['The text seems to be German, and Kokoro pronounces it as English.'])
  const asFrench = /seems to be French, and Kokoro pronounces it as English/
  for (const more of [{ voice: 'af_heart' }, { reported: 'af_heart' }, { reported: 'af_heart(2)+ff_siwis(1)' }])
    assert.match(said(french, more)?.reason ?? '', asFrench)
  assert.match(
    said(german, { reported: 'reference' }, { engine: 'pockettts', languages: ['en'] })?.reason ?? '',
    /and Pocket TTS .* as English/,
  )
  const many = [{ id: 'one', name: 'One', language: 'zh', default_for: ['*'] }]
  for (const [text, more, overrides] of [
    ['The house is in the garden, and it is not for you.', {}, {}],
    [german, { language: 'en' }, {}],
    [french, { voice: 'ff_siwis' }, {}],
    [french, { reported: 'ff_siwis' }, {}],
    ['Bonjour.', {}, {}],
    [german, {}, { voices: many, languages: ['zh', 'de'] }],
    [german, {}, { voices: many, languages: ['*'] }],
    [german, { reported: 'reference' }, {}],
  ] as const)
    assert.equal(said(text, more, overrides as Partial<Offer>), null, text)
})
