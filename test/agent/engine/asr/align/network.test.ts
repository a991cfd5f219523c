// Alignment with a graph that emits a known string, through the real runtime; and words that the network cannot spell.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { CTC_SAMPLE_RATE, openAligner } from '#agent/engine/asr/align/network.ts'
import { WILDCARD } from '#agent/engine/asr/align/trellis.ts'
import { parseLetters, spellWords, timedWords } from '#agent/engine/asr/align/words.ts'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { noise } from '#test/agent/engine/audio/recording.ts'
import { model } from '#test/support/models/onnx-graph.ts'

const LETTERS = ['<pad>', '<s>', '</s>', '<unk>', '|', ...'EHLOWRD']
const VOCABULARY = Object.fromEntries(LETTERS.map((letter, id) => [letter, id]))
/** One symbol for every 20 ms; '-' is the blank. */
const EMITTED = '---HH-EE-L-L-OOO--||--W-O-R-LLL-DD------'

/** A graph with the names and ranks of a wav2vec2 export that emits EMITTED for any input. */
function files(t: TestContext, emitted = EMITTED): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-ctc-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const width = LETTERS.length
  const planted = new Float32Array(emitted.length * width)
  for (const [frame, symbol] of [...emitted].entries()) planted[frame * width + (symbol === '-' ? 0 : LETTERS.indexOf(symbol))] = 9
  const graph = model({
    inputs: [{ name: 'input_values', type: 'float32', dims: ['batch', 'samples'] }],
    outputs: [{ name: 'logits', type: 'float32', dims: ['batch', 'frames', width] }],
    // The sum of what it hears times nothing: the input counts as used, the answer is planted.
    nodes: [
      { op: 'ReduceSum', inputs: ['input_values'], outputs: ['sum'], attributes: { keepdims: 0 } },
      { op: 'Mul', inputs: ['sum', 'nothing'], outputs: ['nought'] },
      { op: 'Add', inputs: ['planted', 'nought'], outputs: ['logits'] },
    ],
    initializers: [
      { name: 'nothing', type: 'float32', dims: [], values: [0] },
      { name: 'planted', type: 'float32', dims: [1, emitted.length, width], values: planted },
    ],
  })
  writeFileSync(join(folder, 'model.onnx'), graph)
  writeFileSync(join(folder, 'vocab.json'), JSON.stringify(VOCABULARY))
  return new Map([
    ['onnx/model.onnx', join(folder, 'model.onnx')],
    ['vocab.json', join(folder, 'vocab.json')],
  ])
}
const sound = noise((EMITTED.length * CTC_SAMPLE_RATE) / 50, 0.1, 1)
const near = (value: number, wanted: number) => assert.ok(Math.abs(value - wanted) < 1e-6, `${value} is not ${wanted}`)

test('words are aligned to the exact frame', async (t) => {
  const aligner = await openAligner(files(t), openGraph)
  const [hello, world, ...more] = await aligner.words(sound, 'Hello, world!', 100)
  assert.deepEqual([hello!.word, world!.word, more], ['Hello,', 'world!', []])
  near(hello!.start, 100 + 0.06)
  near(hello!.end, 100 + 0.32)
  near(world!.start, 100 + 0.44)
  near(world!.end, 100 + 0.68)
  await aligner.close()
})

test('a word whose characters the network does not have gets its own time', async (t) => {
  // "20" is spoken with letters that its characters do not name.
  const spoken = '--HH-EE-L-L-O--||--E-E-R-D--||--W-O-R-L-D--'
  const aligner = await openAligner(files(t, spoken), openGraph)
  const sound = noise((spoken.length * CTC_SAMPLE_RATE) / 50, 0.1, 1)
  for (const text of ['hello 20 world', 'Hello, 20%! world', 'hello жд world']) {
    const words = await aligner.words(sound, text, 0)
    assert.deepEqual(
      words.map(({ start, end }) => [start * 50, end * 50].map(Math.round)),
      [
        [2, 13],
        [19, 26],
        [32, 41],
      ],
      text,
    )
  }
  await aligner.close()
})

test('words without spoken characters fill the gap between neighbours; too many words are spread evenly', async (t) => {
  const aligner = await openAligner(files(t), openGraph)
  const words = await aligner.words(sound, 'hello 42 – wörld', 0)
  assert.deepEqual(
    words.map(({ word }) => word),
    ['hello', '42', '–', 'wörld'],
  )
  for (const [index, { start, end }] of words.entries()) assert.ok(start <= end && (index === 0 || start >= words[index - 1]!.end - 1e-9))
  near(words[3]!.start, 0.44)
  const crowd = await aligner.words(sound, 'hello '.repeat(40), 0)
  assert.equal(crowd.length, 40)
  near(crowd.at(-1)!.end, EMITTED.length / 50)
  assert.deepEqual(await aligner.words(sound, ' ', 0), [])
  assert.equal((await aligner.words(new Float32Array(10), 'hello', 0)).length, 1)
  await aligner.close()
})

test('a wrong vocabulary, a missing file, a wrong graph and a bad recording give different failures', async (t) => {
  const refused = (error: unknown) => error instanceof Failure && error.code === 'MODEL_NOT_DOWNLOADED'
  await assert.rejects(openAligner(new Map(), openGraph), refused)
  const broken = files(t)
  writeFileSync(broken.get('vocab.json')!, '{"a": ')
  await assert.rejects(openAligner(broken, openGraph), refused)
  writeFileSync(broken.get('vocab.json')!, '{"a": 1}')
  await assert.rejects(openAligner(broken, openGraph), refused)
  const other = files(t)
  writeFileSync(
    other.get('onnx/model.onnx')!,
    model({
      inputs: [{ name: 'mel', type: 'float32', dims: [1, 80] }],
      outputs: [{ name: 'logits', type: 'float32', dims: [1, 80] }],
      nodes: [{ op: 'Identity', inputs: ['mel'], outputs: ['logits'] }],
    }),
  )
  await assert.rejects(openAligner(other, openGraph), (error) => refused(error) && /wrong export/.test((error as Error).message))
})

test('letters match in any case and with or without accents', () => {
  const letters = parseLetters({ '<pad>': 0, '|': 1, a: 2, é: 3 })!
  assert.deepEqual(spellWords(' A éÉ ä | ', letters).tokens, [2, 1, 3, 3, 1, 2])
  assert.deepEqual(spellWords(' A éÉ ä | ', letters).words, ['A', 'éÉ', 'ä', '|'])
  assert.deepEqual(spellWords('a 20, – é!', letters).tokens, [2, 1, WILDCARD, 1, 3])
  assert.equal(parseLetters([1, 2]), null)
  assert.deepEqual(
    timedWords({ words: ['x', 'y'], tokens: [], owner: [] }, [], 0.02, 1, 3).map(({ start, end }) => [start, end]),
    [
      [1, 2],
      [2, 3],
    ],
  )
})
