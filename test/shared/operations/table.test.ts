import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  OPERATIONS,
  type OperationId,
  outputLimitOf,
  parseParams,
  RESULT_BYTES,
  readParams,
  readResult,
  storedResult,
} from '#shared/operations/table.ts'
import { TtsParams } from '#shared/operations/tts.ts'
import { VadParams } from '#shared/operations/vad.ts'
import { Failure } from '#shared/protocol/failure.ts'

const said = { segments: [{ text: 'hello' }, { text: 'you' }] }
type Example = {
  readonly params: object
  readonly result: object
  readonly outputBytes: number
  readonly output?: string
  readonly units?: number
}
/** One exchange of every operation. */
const EXAMPLES: Readonly<Record<OperationId, Example>> = {
  tts: { params: said, result: { sample_rate: 24_000, parts: [{ samples: 3 }, { samples: 4 }], voice: 'a', notices: [] }, outputBytes: 14 },
  asr: {
    params: { words: true },
    result: {
      text: 'hi',
      language: 'en',
      segments: [{ start: 0, end: 1, text: 'hi', words: [{ start: 0, end: 1, word: 'hi' }] }],
      duration: 1,
      notices: ['Slow.'],
    },
    outputBytes: 0,
  },
  vad: { params: {}, result: { segments: [{ start: 0, end: 1 }], duration: 2 }, outputBytes: 0 },
  denoise: { params: {}, result: { sample_rate: 48_000, parts: [{ samples: 1 }], duration: 1 }, outputBytes: 2 },
  separate: { params: {}, result: { sample_rate: 44_100, parts: [{ samples: 1 }, { samples: 1 }], duration: 1 }, outputBytes: 4 },
  align: { params: { text: 'hi' }, result: { words: [{ start: 0, end: 1, word: 'hi' }] }, outputBytes: 0 },
  diarize: {
    params: { voices: true },
    result: { segments: [{ start: 0, end: 1, speaker: 0 }], voices: [{ speaker: 0, seconds: 1, vector: [0.6, -0.8] }] },
    outputBytes: 0,
  },
  identify: { params: {}, result: { language: 'de', seconds: 3 }, outputBytes: 0 },
  translate: { params: { texts: ['hi'], source: 'en', target: 'de' }, result: { texts: ['hallo'], notices: [] }, outputBytes: 0 },
  verify: {
    params: {},
    result: {
      engine: 'kokoro',
      model: '',
      reference: 'Kokoro 1.0',
      versions: [{ name: 'agent', version: '0.5.0' }],
      platform: 'linux x64',
      files: [{ name: 'model.onnx', size: 3, sha256: 'a'.repeat(64), isIntact: true }],
      checks: [{ title: 'model loads', outcome: 'pass', expected: '', found: 'cpu', seconds: 0.5 }],
      sentence: { text: 'Hello.', language: 'en' },
      sample_rate: 24_000,
      parts: [{ samples: 3 }],
    },
    outputBytes: 6,
  },
  probe: { params: { echo: 'ab', bytes: 4 }, result: { echoed: 2, bytes: 4 }, outputBytes: 6 },
}
const IDS = Object.keys(OPERATIONS) as OperationId[]
const read = (id: string, result: unknown, { params, outputBytes, output = '', units = 0 }: Omit<Example, 'result'>): unknown =>
  readResult(id, typeof result === 'string' ? Buffer.from(result) : Buffer.from(JSON.stringify(result)), {
    params: JSON.stringify(params),
    outputBytes,
    isOutput: (text) => text === output,
    units,
  })
const refuses = (id: string, result: unknown, example: Omit<Example, 'result'>, message?: RegExp) =>
  assert.throws(
    () => read(id, result, example),
    (error: unknown) => {
      assert.ok(error instanceof Failure, String(error))
      assert.equal(error.code, 'INVALID_RESULT')
      assert.ok(error.message.length < 1_000)
      if (message) assert.match(error.message, message)
      return true
    },
  )

for (const id of IDS) {
  const example = EXAMPLES[id]
  test(`${id}: its result is read, stored and read back, unknown fields are dropped`, () => {
    const result = read(id, { ...example.result, from_a_newer_version: { deep: [1] } }, example)
    assert.deepEqual(result, example.result)
    assert.deepEqual(storedResult(id, JSON.stringify(result)), example.result)
  })

  test(`${id}: null, a list, a word and a number are no result`, () => {
    for (const wrong of ['null', '[]', '"result"', '7', '', '{', '{}']) {
      refuses(id, wrong, example)
    }
  })

  test(`${id}: no JSON value has another effect than a result or INVALID_RESULT`, () => {
    const field = fc.constantFrom(...Object.keys(example.result))
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.constantFrom(1e9, 3e9, -1, 2 ** 53, 1e308, 0.5, '', [], {}, { length: 1e9 }, [{ samples: 2 ** 40 }], [null]),
    )
    fc.assert(
      fc.property(field, value, (name, hostile) => {
        const sent = JSON.stringify({ ...example.result, [name]: hostile })
        try {
          const result = read(id, sent, example)
          assert.deepEqual(read(id, result, example), result, 'what was accepted is accepted again, and is the same')
        } catch (error) {
          assert.ok(error instanceof Failure && error.code === 'INVALID_RESULT', String(error))
        }
      }),
    )
  })

  test(`${id}: unknown parameters are refused, and its units are a whole number`, () => {
    const { params, units, parts } = OPERATIONS[id] as (typeof OPERATIONS)['tts']
    assert.throws(() => parseParams(params, { ...example.params, not_a_parameter: 1 }), { code: 'INVALID_TASK_PARAMS' })
    const parsed = parseParams(params, example.params)
    assert.ok(Number.isInteger(units(parsed, { seconds: 2.5 })))
    assert.equal(outputLimitOf(id, JSON.stringify({ ...example.params, of_one_engine: 1 }), 0).parts, parts(parsed))
  })
}

test('asr: a streamed text is the text of the result, and its size and its pieces have limits that grow with the recording', () => {
  const { result } = EXAMPLES.asr
  const streamed = { params: { stream: true }, outputBytes: 2, units: 60 }
  assert.deepEqual(read('asr', result, { ...streamed, output: 'hi' }), result)
  for (const other of ['', 'ho', 'hi ', 'hi\n'])
    refuses('asr', result, { ...streamed, output: other }, /differs from the text of the output/)
  const limitOf = (params: object, units: number) => outputLimitOf('asr', JSON.stringify(params), units)
  assert.equal(limitOf({}, 60).parts, 0)
  const [minute, hour, unknown] = [60, 3_600, 0].map((units) => limitOf({ stream: true }, units))
  assert.ok(minute!.parts === 1 && minute!.bytes < 200_000 && minute!.pieces < 1_000)
  assert.ok(hour!.bytes > minute!.bytes && hour!.pieces > minute!.pieces && hour!.bytes <= 3_000_000)
  assert.ok(Number.isFinite(unknown!.bytes) && Number.isFinite(unknown!.pieces))
})

test('each hostile result is refused, and the refusal repeats nothing of it', () => {
  const example = EXAMPLES.tts
  const { result } = example
  refuses('tts', { ...result, parts: { length: 1e9 } }, example, /parts: /)
  refuses('tts', { ...result, sample_rate: 3e9 }, example, /sample_rate: /)
  refuses('tts', JSON.stringify(result).replace('24000', '1e999'), example, /sample_rate: /)
  refuses('tts', { ...result, parts: [{ samples: 2 ** 28 }, { samples: 1 }] }, example, /came with 14 bytes/)
  refuses('tts', { ...result, parts: [1, 2, 4].map((samples) => ({ samples })) }, example, /3 parts where 2/)
  refuses('tts', '['.repeat(400_000) + ']'.repeat(400_000), example, /nested deeper/)
  refuses('tts', `{"x":${'['.repeat(400_000)}${']'.repeat(400_000)}}`, example, /nested deeper/)
  refuses('tts', JSON.stringify({ x: 'x'.repeat(30e6) }), example, /30000008 bytes/)
  refuses('tts', { ...result, notices: Array.from({ length: 200_000 }, () => 1) }, example, /notices: /)
  refuses('tts', { ...result, voice: 'secret'.repeat(1_000) }, example, /^(?!.*secret)/)
  refuses('align', { words: [2, 0].map((start) => ({ start, end: start + 1, word: 'a' })) }, EXAMPLES.align, /order/)
  refuses('translate', { texts: ['a', 'b'] }, EXAMPLES.translate, /2 texts where 1/)
  refuses('sing', {}, EXAMPLES.tts, /no operation sing/)
  assert.ok(RESULT_BYTES < 30e6)
})

test('parameters of one engine do not hide those of the operation; parameters that are none allow no output', () => {
  assert.equal(outputLimitOf('tts', JSON.stringify({ ...said, fault: { kind: 'nan' } }), 0).parts, 2)
  assert.equal(outputLimitOf('tts', JSON.stringify({ segments: 3 }), 0).parts, 0)
  assert.equal(outputLimitOf('asr', '{}', 0).parts, 0)
  assert.equal(outputLimitOf('sing', '{}', 0).parts, 0)
})

test('speech is padded by 30 ms unless the task says otherwise, as Silero does', () => {
  assert.equal(VadParams.parse({}).pad_ms, 30)
})

test('a refinement of parameters holds also where unknown ones are allowed', () => {
  const more = { threshold: 0.2, silence_threshold: 0.5, of_one_engine: 1 }
  refuses('vad', EXAMPLES.vad.result, { params: more, outputBytes: 0 }, /no valid parameters/)
})

test('parameters from the wire are bounded and named when they are wrong', () => {
  assert.deepEqual(readParams(Buffer.from('{"a":[1]}')), { a: [1] })
  for (const text of ['', '{', '['.repeat(1_000), ' '.repeat(1024 * 1024 + 1)])
    assert.throws(() => readParams(Buffer.from(text)), { code: 'INVALID_TASK_PARAMS' })
  assert.throws(
    () => parseParams(TtsParams, { segments: [{ text: 'a' }, { text: '' }], speed: 9 }),
    (error: Failure) => {
      assert.deepEqual(error.detail, { fields: error.message.split('; ') })
      assert.match(error.message, /^segments\.1\.text: .*; speed: /)
      return true
    },
  )
})

test('sound that cannot have been made of the recording or the text is refused', () => {
  const stereo = { sample_rate: 8_000, stereo_vocals: true }
  const separated = (lengths: readonly number[], rate = 8_000, units = 60) => {
    const outputBytes = 2 * lengths.reduce((sum, length) => sum + length, 0)
    const result = { sample_rate: rate, parts: lengths.map((samples) => ({ samples })), duration: 60 }
    return [result, { params: stereo, outputBytes, units }] as const
  }
  assert.ok(read('separate', ...separated([478_000, 478_000])), 'a filter may leave out a little')
  assert.ok(read('separate', ...separated([1, 1], 8_000, 0)), 'a recording of unknown length')
  refuses('separate', ...separated([480_000]), /1 parts where 2/)
  refuses('separate', ...separated([480_000, 479_999]), /different lengths/)
  refuses('separate', ...separated([480_000, 480_000], 16_000), /16000 Hz where 8000 Hz/)
  refuses('separate', ...separated([4_800_000, 4_800_000]), /600.0 s of sound for a recording of 60 s/)
  refuses('separate', ...separated([0, 0]), /0.0 s of sound/)
  const [{ parts, ...denoised }, task] = separated([4_800_000])
  refuses('denoise', { ...denoised, parts }, { ...task, params: {} }, /600.0 s of sound/)
  const spoken = { sample_rate: 4_000, parts: [{ samples: 600_000 }, { samples: 1 }], voice: '', notices: [] }
  refuses('tts', spoken, { params: said, outputBytes: 1_200_002 }, /more sound than the text can last/)
})

test('a transcript with more than can be said in the recording is refused', () => {
  const recognised = (segment: object, count = 1) => ({
    ...EXAMPLES.asr.result,
    segments: Array.from({ length: count }, () => ({ start: 0, end: 1, text: 'hi', ...segment })),
  })
  const task = { params: {}, outputBytes: 0, units: 30 }
  assert.ok(read('asr', recognised({ end: 60 }), task), 'recognisers round up to their window')
  refuses('asr', recognised({ start: 1_000, end: 1_001 }), task, /starts at 1000.0 s of a recording of 30 s/)
  refuses('asr', recognised({ text: 'x'.repeat(100_000) }), task, /100002 characters for 30 s/)
  refuses('asr', recognised({}, 500), task, /500 segments/)
  refuses('asr', recognised({ start: null }), task, /start: /)
  refuses('asr', recognised({ start: -1 }), task, /start: /)
})
