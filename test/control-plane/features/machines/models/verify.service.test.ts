// The start of a verification, its refusals, and the recognition of the sentence that a model has spoken.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyLines } from '#cli/views/verify-view.ts'
import { createVerify } from '#control-plane/features/machines/models/verify/verify.service.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import type { Inference, Request } from '#control-plane/inference/run.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import type { VerifyResult } from '#shared/operations/verify.ts'
import { Failure } from '#shared/protocol/failure.ts'

const offer = (engine: string, operation: string, more: Partial<Offer> = {}): Offer => ({
  workerId: 'local',
  engine,
  model: '',
  operation,
  implementation: '',
  stands_in: '',
  languages: [],
  voices: [],
  cloning: false,
  supported: true,
  installed: true,
  downloaded: true,
  device: 'cpu',
  permits: 1,
  sample_rate: 0,
  ...more,
})
const KOKORO = 'onnx-community/Kokoro-82M-v1.0-ONNX'
const SPOKEN: VerifyResult = {
  engine: 'kokoro',
  model: '',
  reference: 'Kokoro 1.0',
  versions: [],
  platform: 'linux x64',
  files: [{ name: 'model.onnx', size: 3, sha256: 'a'.repeat(64), isIntact: false }],
  checks: [{ title: 'model loads', outcome: 'pass', expected: '', found: '', seconds: 0 }],
  sample_rate: 24_000,
  sentence: { text: 'The quick brown fox', language: 'en' },
  parts: [{ samples: 24_000 }],
}

function open(offers: readonly Offer[], answer: string | Failure = '', connected = true) {
  const requests: Request[] = []
  const kept: Uint8Array[] = []
  const inference = {
    collect: async (request: Request) => {
      requests.push(request)
      return { result: SPOKEN, output: Buffer.alloc(48_000) }
    },
    async run(request: Request) {
      requests.push(request)
      if (answer instanceof Failure) throw answer
      return { text: answer }
    },
    keepInput: async (name: string, bytes: Uint8Array) => {
      kept.push(bytes)
      return { name, sha256: '', size: bytes.length }
    },
  } as unknown as Inference
  const verify = createVerify({
    models: CATALOGUE,
    inference,
    offered: () => offers,
    active: () => 'local',
    isConnected: () => connected,
    labelOf: () => 'attic',
    clock: { mono: () => 0 },
  })
  const run = (id: string, target?: string) => verify.run(id, target, new AbortController().signal, '')
  return { run, requests, kept }
}
const kokoro = offer('kokoro', 'verify')
const whisper = offer('faster-whisper', 'asr', { languages: ['*'] })

test('the sentence is recognised on the same machine by a neural recogniser of its language', async () => {
  const others = [
    offer('pocketsphinx', 'asr', { languages: ['en'] }),
    offer('openai-compat-asr', 'asr', { languages: ['*'] }),
    offer('moonshine', 'asr', { languages: ['en'], workerId: 'b1' }),
    offer('moonshine', 'asr', { languages: ['en'], downloaded: false }),
  ]
  const opened = open([kokoro, whisper, ...others], 'the quick brown dog')
  const reply = await opened.run(KOKORO)
  assert.equal(reply.passed, true)
  assert.deepEqual(
    opened.requests.map(({ operation, engine, target }) => [operation, engine, target]),
    [
      ['verify', 'kokoro', 'local'],
      ['asr', 'faster-whisper', 'local'],
    ],
  )
  const { sampleRate, samples } = parseWav(opened.kept[0]!)
  assert.deepEqual([sampleRate, samples.length], [16_000, 16_000])
  const lines = verifyLines(reply)
  assert.ok(lines.includes('  pass      its sentence is recognised by faster-whisper (0.0 s)'), lines.join('\n'))
  assert.ok(lines.includes(`  ${'a'.repeat(64)}  3  model.onnx  CHANGED`))

  const misheard = await open([kokoro, whisper], 'something else').run(KOKORO)
  assert.deepEqual([misheard.passed, misheard.checks.at(-1)!.outcome], [false, 'differs'])
  assert.ok(verifyLines(misheard).includes('            expected: The quick brown fox'))
  // Neither a missing nor a failing recogniser says anything about the model.
  for (const quiet of [open([kokoro, ...others]), open([kokoro, whisper], new Failure('ENGINE_CRASHED', 'The engine crashed.'))]) {
    const { passed, checks } = await quiet.run(KOKORO)
    assert.deepEqual([passed, checks.at(-1)!.outcome], [true, 'skipped'])
  }
})

test('a report that a hostile machine fills with control characters is harmless on a terminal', async () => {
  const reply = await open([kokoro]).run(KOKORO)
  const lines = verifyLines({ ...reply, reference: 'a\u001b[2J\nb', checks: [{ ...reply.checks[0]!, found: '\u202eevil\r' }] })
  for (const line of lines) assert.doesNotMatch(line, /[\u0000-\u001f\u202e]/)
})

test('what cannot be verified is refused with what to do', async () => {
  const other = offer('kokoro', 'verify', { model: 'q8' })
  const silero = offer('silero', 'verify')
  for (const [offers, id, code, message] of [
    [[silero], KOKORO, 'MODEL_NOT_DOWNLOADED', /is not installed on this machine\. Install it with \.\/studio models install \S+\.$/],
    [[other], KOKORO, 'MODEL_NOT_DOWNLOADED', /Installed for the same engine: onnx-community\/Kokoro-82M-v1\.0-ONNX:q8\.$/],
    [[silero], 'kokoro', 'BAD_REQUEST', /There is nothing to verify for kokoro .* Name one of its models, such as onnx-community\/Kokoro/],
    [[silero], 'espeak-ng', 'BAD_REQUEST', /It has no weights/],
    [[silero], 'kokro', 'BAD_REQUEST', /There is no model kokro\. Similar models: /],
    [[whisper], KOKORO, 'CONFLICT', /cannot verify models\. Update it/],
  ] as const)
    await assert.rejects(open(offers).run(id), (error: Failure) => {
      assert.deepEqual([error.code, message.test(error.message)], [code, true], `${id}: ${error.message}`)
      return true
    })
  await assert.rejects(open([], '', false).run(KOKORO), { code: 'NOT_READY' })
  await assert.rejects(open([], '', false).run(KOKORO, 'b1'), { code: 'CONFLICT' })
  await assert.rejects(open([silero]).run(KOKORO, 'b1'), { code: 'CONFLICT', message: /on attic cannot verify/ })
})
