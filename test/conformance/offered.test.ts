// Offers and engines agree: every downloadable model has an engine in the agent that finds its files, the table of engines matches the
// agent, and better recognisers are preferred.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALIGNMENT_MODEL } from '#agent/engine/asr/whisper/engine.ts'
import { catalog } from '#agent/engine/catalog/catalog.ts'
import type { Capability } from '#agent/engine/seam/engine.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import { chooseRecogniser } from '#control-plane/features/listening/recognition/recognisers.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import { ENGINES, engineRow, PREFERRED_ENGINES } from '#shared/engines.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import type { CatalogueModel } from '#shared/models/model.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { offer } from '../support/doubles/offers.ts'

const ROWS = catalog(false)
const engines = ROWS.map(({ id }) => id)
/** Not a model of its own: the engine that needs it reports when it is missing. */
const PARTS_OF_OTHERS = [ALIGNMENT_MODEL]
const described = (filesOf: FilesOf): Capability[] => ROWS.flatMap((row) => row.create({ clock, path: '', filesOf }).describe())

test('every engine of the model catalogue exists in the agent', () => {
  const missing = CATALOGUE.filter(({ engine }) => !engines.includes(engine)).map(({ id, engine }) => `${id}: ${engine}`)
  assert.deepEqual(missing, [])
  const strangers = ROWS.flatMap(({ id, readsFilesOf }) => (readsFilesOf && !engines.includes(readsFilesOf) ? [id] : []))
  assert.deepEqual(strangers, [], 'readsFilesOf names an engine')
})

/** True if the catalogue names all files; others are listed by the server. */
const isNamed = ({ sources }: CatalogueModel) => sources.every(({ files }) => files.every(({ path }) => !path.includes('*')))

for (const { id, engine, model, sources } of CATALOGUE.filter((row) => isNamed(row) && !PARTS_OF_OTHERS.includes(row.model))) {
  test(`${id}: the download gives ${engine} a new capability`, () => {
    const files = new Map(sources.flatMap(({ into, files }) => files.map(({ path }): [string, string] => [`${into}${path}`, `/m/${path}`])))
    const rows = (filesOf: FilesOf) => described(filesOf).filter((row) => row.engine === engine)
    const can = (found: readonly Capability[]) =>
      found.filter(({ downloaded }) => downloaded).map((row) => `${row.model} ${row.standsIn ?? ''}`)
    const before = can(rows(() => null))
    const after = can(rows((of, name) => (of === engine && name === model ? files : null)))
    assert.ok(
      after.some((row) => !before.includes(row)),
      `before: ${before.join() || 'nothing'}; after: ${after.join() || 'nothing'}`,
    )
  })
}

test('the table of engines and the engines of the agent agree', () => {
  const missing = ENGINES.filter(({ packaging, id }) => packaging === 'built-in' && id !== 'tone' && !engines.includes(id))
  assert.deepEqual(missing, [], 'an engine that is built in is one of the agent')
  const denied = ENGINES.filter(({ packaging, id }) => packaging === 'none' && engines.includes(id))
  assert.deepEqual(denied, [], 'an engine of the agent has an adapter')
  for (const definition of catalog(true)) {
    const row = engineRow(definition.id)
    assert.equal(definition.group, row?.group, definition.id)
    const { run, ...engine } = definition.create({ clock, path: '', filesOf: () => null })
    assert.equal(typeof run, 'function')
    const described = new Set(engine.describe().map(({ operation }) => operation))
    assert.deepEqual([...described].sort(), row?.operations.toSorted(), definition.id)
  }
})

test('every engine is in the table once, and every preferred engine does what its family does', () => {
  assert.equal(new Set(ENGINES.map(({ id }) => id)).size, ENGINES.length)
  for (const [family, ids] of Object.entries(PREFERRED_ENGINES))
    for (const id of ids) assert.ok(engineRow(id)?.operations.some((operation) => operation === family) || family === 'llm', id)
})

/** Offers of a machine with pocketsphinx and these models, or all models of these engines, in the order of the agent. */
const heldBy = (...held: readonly string[]): Offer[] => {
  const models = CATALOGUE.filter(({ engine, model }) => held.includes(engine) || held.includes(model)).map(
    (row) => `${row.engine} ${row.model}`,
  )
  const rows = described((engine, model) => (models.includes(`${engine} ${model}`) ? new Map([['config.json', '/m/config.json']]) : null))
  return rows
    .filter(({ operation }) => operation === 'asr')
    .map(({ engine, model, operation, languages, supported, installed, downloaded }) =>
      offer({
        engine,
        model,
        operation,
        languages: [...languages],
        ...(engine !== 'pocketsphinx' && { supported, installed, downloaded }),
      }),
    )
}
const listens = (offers: Offer[], model: string, language: string | null) => {
  const { recogniser, instead } = chooseRecogniser(offers, model, language)
  return `${recogniser.engine} ${recogniser.model}${instead === null ? '' : ` (${instead})`}`
}

test('whisper-1 selects the general recognisers; others are selected by their ids', () => {
  const all = heldBy('faster-whisper', 'sherpa-onnx-asr', 'moonshine')
  for (const language of [null, 'en', 'de', 'ja']) assert.equal(listens(all, 'whisper-1', language), 'faster-whisper ', String(language))
  const dictation = heldBy('sherpa-onnx-asr', 'moonshine')
  for (const language of [null, 'en', 'de']) assert.equal(listens(dictation, 'whisper-1', language), 'sherpa-onnx-asr parakeet-tdt-v3')
  assert.equal(listens(dictation, 'whisper-1', 'ja'), 'sherpa-onnx-asr whisper-tiny')
  assert.equal(listens(dictation, 'nemo-parakeet', 'de'), 'nemo-parakeet ')
  assert.equal(listens(dictation, 'moonshine', 'en-GB'), 'moonshine ')
  assert.match(
    listens(dictation, 'moonshine', 'de'),
    /^sherpa-onnx-asr parakeet-tdt-v3 \(moonshine does not support "de"\. sherpa-onnx-asr was used instead\.\)$/,
  )
  const small = heldBy('whisper-tiny', 'moonshine')
  assert.equal(listens(small, 'whisper-1', null), 'sherpa-onnx-asr whisper-tiny', 'a multilingual model without a requested language')
})

test('Moonshine is preferred to PocketSphinx, also for a language that neither supports', () => {
  const alone = heldBy('moonshine')
  for (const language of [null, 'en', 'de']) assert.equal(listens(alone, 'whisper-1', language), 'moonshine ')
  assert.equal(listens(heldBy(), 'whisper-1', 'en'), 'pocketsphinx ')
})
