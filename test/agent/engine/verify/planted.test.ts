// The verification of engines with planted networks, which have the names and types of the real ones and other contents: every check ends,
// and says what it found.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { moonshine } from '#agent/engine/asr/moonshine/engine.ts'
import { fasterWhisper } from '#agent/engine/asr/whisper/engine.ts'
import type { EngineDefinition } from '#agent/engine/seam/define.ts'
import { opusMt } from '#agent/engine/translate/neural/engine.ts'
import { kittenTts } from '#agent/engine/tts/kittentts/engine.ts'
import { mossTtsNano } from '#agent/engine/tts/moss/engine.ts'
import { omniVoice } from '#agent/engine/tts/omnivoice/engine.ts'
import { piper, sherpaVoices } from '#agent/engine/tts/piper/engine.ts'
import { pocketTts } from '#agent/engine/tts/pockettts/engine.ts'
import { supertonic } from '#agent/engine/tts/supertonic/engine.ts'
import { createVerifier } from '#agent/engine/verify/run.ts'
import { filesIn as modelsIn } from '#agent/models/manifest.ts'
import { VerifyResult } from '#shared/operations/verify.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { mossFiles } from '#test/support/models/moss-model.ts'
import { piperConfig, piperFiles } from '#test/support/models/piper-model.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { pocketFiles } from '#test/support/models/pocket-model.ts'
import { styledGraph } from '#test/support/models/styled-model.ts'
import { supertonicFiles } from '#test/support/models/supertonic-model.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { plantedWhisper } from '../runtimes/transformers/planted.ts'
import { plantedMoonshine } from '../runtimes/transformers/planted-moonshine.ts'
import { plantedMarian } from '../runtimes/transformers/planted-translators.ts'
import { backboneFiles, tinyModel } from '../tts/omnivoice/tiny.ts'

type FilesOf = ReturnType<typeof modelsIn>

async function verified(
  t: TestContext,
  row: EngineDefinition,
  filesOf: FilesOf,
  model = '',
  abort = new AbortController(),
  secrets: readonly string[] = [],
) {
  const engine = row.create({ clock: systemClock, path: process.env['PATH'] ?? '', filesOf })
  t.after(() => engine.unload())
  const { id, verification, readsFilesOf } = row
  const definition = { id, verification: verification!, ...(readsFilesOf && { readsFilesOf }) }
  const verifier = createVerifier({ definition, engine, filesOf, load: engine.load, clock: systemClock, secrets })
  let result: unknown
  for await (const event of verifier.run('verify', {}, abort.signal, undefined, model)) {
    if (event.kind === 'progress' && event.progress >= 0.2) abort.signal.throwIfAborted()
    if (event.kind === 'result') result = event.result
  }
  const report = VerifyResult.parse(result)
  return { report, lines: report.checks.map(({ title, outcome, found }) => `${outcome} ${title}: ${found}`) }
}
const placed = (t: TestContext, engine: string, model: string, files: Record<string, Uint8Array | string>): FilesOf => {
  const folder = temporaryFolder(t)
  placeModel(folder, engine, model, files)
  return modelsIn(folder)
}
const has = (lines: readonly string[], pattern: RegExp) =>
  assert.ok(
    lines.some((line) => pattern.test(line)),
    lines.join('\n'),
  )

test('speech engines: other rates and sizes are named', async (t) => {
  const moss = await verified(t, mossTtsNano, placed(t, 'moss-tts-nano', '', mossFiles()))
  has(moss.lines, /^pass model loads/)
  has(moss.lines, /^pass tokens of a sentence: 1 to 45 tokens$/)
  has(moss.lines, /^differs speaks a sentence \(en\): \d+\.\d\d s \(\d+ samples\) at 8000 Hz/)

  const { filesOf } = tinyModel(t, backboneFiles('pairs'))
  const omni = await verified(t, omniVoice, filesOf)
  has(omni.lines, /^differs ids of "hello world" in English: [\d ]+$/)
  has(omni.lines, /^pass frames of "hello world" at the speeds 1 and 1\.5: 35 23$/)
  has(omni.lines, /^pass speaks a sentence in the voice of a recording \(en\): /)

  const pocket = await verified(t, pocketTts, placed(t, 'pockettts', 'de', pocketFiles()), 'de')
  has(pocket.lines, /^differs sizes in bundle\.json: 8000 Hz, 5 graphs$/)
  has(pocket.lines, /^differs speaks a sentence \(de\): /)
  assert.equal(pocket.report.model, 'de')

  const tonic = await verified(t, supertonic, placed(t, 'supertonic3', '', supertonicFiles()))
  has(tonic.lines, /^pass graph vocoder\.onnx: latent float32\[/)
  has(tonic.lines, /^pass model loads/)
  has(tonic.lines, /^differs speaks a sentence \(en\): .* at 1000 Hz/)
})

const skip = findProgram('espeak-ng', process.env['PATH']) ? false : 'espeak-ng is not on this machine; ./studio setup installs it'
test('a voice of Piper is verified by its name, and under the id of another program', { skip }, async (t) => {
  const filesOf = placed(
    t,
    'piper',
    'de_DE-thorsten-low',
    piperFiles('de_DE-thorsten-low', piperConfig({ espeak: { voice: 'de' }, language: { code: 'de_DE' } })),
  )
  for (const [row, model] of [
    [piper, 'de_DE-thorsten-low'],
    [sherpaVoices, ''],
  ] as const) {
    // biome-ignore format: a table
    const { lines } = await verified(t, row, filesOf, model)
    has(lines, /^differs ids of həlˈoʊ wˈɜːld\.: 1 0 12 0 /)
    has(lines, /^pass graph de_DE-thorsten-low\.onnx: input int64/)
    has(lines, /^pass model loads/)
    has(lines, /^differs speaks a sentence \(de\): .* at 22050 Hz/)
  }
})

test('recognisers and translators: other vocabularies and words are named', async (t) => {
  const whisper = plantedWhisper(t)
  const recogniser = await verified(
    t,
    fasterWhisper,
    (engine, model) => (engine === 'faster-whisper' && model === 'tiny' ? whisper : null),
    'tiny',
  )
  has(recogniser.lines, /^(differs|pass) token ids of the end, the start and English: [\d ]+$/)
  has(recogniser.lines, /^pass model loads/)
  has(recogniser.lines, /^differs recognises a sentence: /)

  const files = plantedMoonshine(t)
  const moon = await verified(t, moonshine, () => files)
  has(moon.lines, /^differs recognises a sentence: /)

  const marian = plantedMarian(t)
  const german: FilesOf = (_engine, model) => (model === 'opus-mt-en-de' ? marian : null)
  const pair = await verified(t, opusMt, german, 'opus-mt-en-de', new AbortController(), ['welt'])
  // Names of the machine and its users are replaced wherever they occur.
  has(pair.lines, /^differs translates from en to de: hallo …/)
  for (const [pieces, found] of [
    [{ '▁hello': -5, '>>cmn_Hans<<': -100 }, 'pass tokens >>cmn_Hans<< in the vocabulary: 1'],
    [{ '▁hello': -5 }, 'differs tokens >>cmn_Hans<< in the vocabulary: 0'],
  ] as const) {
    const chinese = plantedMarian(t, { pair: 'en-zh', pieces })
    const { lines } = await verified(t, opusMt, (_engine, model) => (model === 'opus-mt-en-zh' ? chinese : null), 'opus-mt-en-zh')
    assert.ok(lines.includes(found), lines.join('\n'))
  }
})

test('KittenTTS: the samples of a graph are compared with its durations', async (t) => {
  const check = kittenTts
    .verification!.checks('', new Map())
    .find(({ kind, ...each }) => kind === 'value' && 'title' in each && /600/.test(each.title))
  assert.ok(check?.kind === 'value')
  const found = (frame?: number) => {
    const path = join(temporaryFolder(t), 'kitten.onnx')
    writeFileSync(path, styledGraph(frame === undefined ? {} : { frame }))
    return check.find({ files: new Map([['kitten.onnx', path]]), signal: t.signal })
  }
  assert.equal(await found(600), 'equal')
  assert.match(await found(800), /^\d+ samples for \d+ units$/)
  assert.equal(await found(), 'the graph has no output of durations')
})

test('a cancelled verification stops', async (t) => {
  const abort = new AbortController()
  const files = plantedMoonshine(t)
  const running = verified(
    t,
    moonshine,
    () => {
      abort.abort(new Error('enough'))
      return files
    },
    '',
    abort,
  )
  await assert.rejects(running, /enough/)
})
