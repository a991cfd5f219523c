// Models of the owner's own files: each kind is recognised by its graphs, gets a place that its engine reads, and can be removed; what is not
// recognised is refused with what was found, and leaves nothing.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sherpaOnnx } from '#agent/engine/asr/sherpa/engine.ts'
import { fasterWhisper } from '#agent/engine/asr/whisper/engine.ts'
import { createWhisperModels } from '#agent/engine/asr/whisper/models.ts'
import type { EngineDefinition } from '#agent/engine/seam/define.ts'
import { findDownloaded, modelsToFind } from '#agent/engine/seam/model-files.ts'
import { kittenTts } from '#agent/engine/tts/kittentts/engine.ts'
import { kokoro } from '#agent/engine/tts/kokoro/engine.ts'
import { piper } from '#agent/engine/tts/piper/engine.ts'
import { fallbackVoice, piperModels } from '#agent/engine/tts/piper/voices.ts'
import { supertonic } from '#agent/engine/tts/supertonic/engine.ts'
import { createVerifier } from '#agent/engine/verify/run.ts'
import { filesIn, readModelManifest } from '#agent/models/manifest.ts'
import { adopt } from '#agent/models/own/own-models.ts'
import { readOffered } from '#agent/own/offered.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import { isOwnModel, modelOfOwnId } from '#shared/models/own.ts'
import { VerifyResult } from '#shared/operations/verify.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import {
  addition,
  type Contents,
  graphOf,
  KITTEN_FILES,
  KOKORO_FILES,
  KOKORO_ONNX_FILES,
  PIPER_FILES,
  SHERPA_FILES,
  SUPERTONIC_FILES,
} from '#test/support/models/own/own-files.ts'
import { piperGraph } from '#test/support/models/piper-model.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { plantedWhisper } from '../engine/runtimes/transformers/planted.ts'
import { openStore } from '../models/open-store.ts'

const NOWHERE = 'http://127.0.0.1:1'
const WANTED = { name: '', engine: '' }
const whisperFiles = (t: TestContext): Record<string, Buffer> =>
  Object.fromEntries([...plantedWhisper(t)].map(([name, path]) => [name, readFileSync(path)]))
const flat = (contents: Contents): Contents =>
  Object.fromEntries(Object.entries(contents).map(([name, bytes]) => [name.replace('onnx/', ''), bytes]))

/** Adds the files to a new store. */
async function added(t: TestContext, contents: Contents, wanted: Partial<typeof WANTED> = {}) {
  const { store, folder } = openStore(t, NOWHERE)
  const own = await store.add({ ...WANTED, ...wanted, addition: addition(folder, contents) }, 'local')
  return { store, folder, own, filesOf: filesIn(folder) }
}
const modelsOf = (engine: EngineDefinition, filesOf: ReturnType<typeof filesIn>) =>
  engine
    .create({ clock: systemClock, path: process.env['PATH'] ?? '', filesOf })
    .describe()
    .filter(({ downloaded }) => downloaded)

test('each kind of model is recognised and read by its engine', async (t) => {
  const kinds: readonly [string, EngineDefinition, Contents][] = [
    ['piper', piper, PIPER_FILES],
    ['kokoro', kokoro, KOKORO_FILES],
    ['kokoro', kokoro, KOKORO_ONNX_FILES],
    ['kittentts', kittenTts, KITTEN_FILES],
    ['supertonic3', supertonic, SUPERTONIC_FILES],
    ['faster-whisper', fasterWhisper, whisperFiles(t)],
    ['faster-whisper', fasterWhisper, flat(whisperFiles(t))],
    ...Object.values(SHERPA_FILES).map((files): [string, EngineDefinition, Contents] => ['sherpa-onnx-asr', sherpaOnnx, files]),
  ]
  for (const [engine, definition, contents] of kinds) {
    const { store, folder, own, filesOf } = await added(t, contents, { name: 'mine' })
    const names = Object.keys(contents).join(' ')
    assert.deepEqual([own.id, own.engine, own.model], ['own/mine', engine, 'own-mine'], names)
    assert.deepEqual(readdirSync(folder).sort(), [engine], `${names}: nothing else is left`)
    const described = modelsOf(definition, filesOf)
    assert.ok(
      described.some(({ model }) => model === 'own-mine'),
      `${names}: ${described.map(({ model }) => model).join()}`,
    )
    const usable = (model: string) => modelsOf(definition, filesOf).some((row) => row.model === model && row.languages.length > 0)
    const isChosen = usable('')
    const manifest = join(folder, engine, 'own-mine', 'manifest.json')
    const text = readFileSync(manifest, 'utf8')
    sentBy(folder, engine, 'own-mine')
    assert.deepEqual([usable(''), usable('own-mine')], [false, true], `${names}: a model that a studio sent`)
    writeFileSync(manifest, text)
    assert.equal(usable(''), isChosen)
    const row = store.inventory().find(({ id }) => id === 'own/mine')
    assert.deepEqual(row?.own, { label: own.label, role: own.role, engine, model: 'own-mine' })
    assert.equal(row?.installed, true)
    assert.ok((await store.remove('own/mine', 'local')) > 0)
    assert.deepEqual(modelsOf(definition, filesOf), [], names)
  }
})

test('the digest of each file is recorded, and the verification compares with it', { timeout: 120_000 }, async (t) => {
  const cases: readonly [EngineDefinition, Contents, RegExp][] = [
    [piper, PIPER_FILES, /^pass speaks a sentence \(en\)/],
    [kokoro, KOKORO_ONNX_FILES, /^pass ids of həlˈoʊ wˈɜːld: 50 83/],
  ]
  for (const [definition, contents, right] of cases) {
    const { folder, own, filesOf } = await added(t, contents)
    const engine = definition.create({ clock: systemClock, path: process.env['PATH'] ?? '', filesOf })
    t.after(() => engine.unload())
    const verified = async () => {
      const verifier = createVerifier({
        definition: { id: definition.id, verification: definition.verification! },
        engine,
        filesOf,
        load: engine.load,
        clock: systemClock,
      })
      for await (const event of verifier.run('verify', {}, new AbortController().signal, undefined, own.model))
        if (event.kind === 'result')
          return VerifyResult.parse(event.result).checks.map(({ title, outcome, found }) => `${outcome} ${title}: ${found}`)
      return []
    }
    const lines = await verified()
    assert.ok(
      lines.some((line) => right.test(line)),
      lines.join('\n'),
    )
    assert.match(lines[0]!, /^pass files are those of the installation/)
    const place = join(folder, own.engine, own.model)
    const [first] = readModelManifest(place)!.files
    const bytes = readFileSync(join(place, first!.path))
    bytes[bytes.length - 1]! ^= 1
    writeFileSync(join(place, first!.path), bytes)
    assert.match((await verified())[0]!, /^differs files are those of the installation/)
  }
})

test('the name is that of the files unless one is chosen, and the tables of an archive become voices', async (t) => {
  const one = await added(t, PIPER_FILES)
  assert.equal(one.own.id, 'own/en_US-someone-medium')
  assert.deepEqual(
    [...one.filesOf('piper', one.own.model)!.keys()],
    ['own-en_US-someone-medium.onnx', 'own-en_US-someone-medium.onnx.json'],
  )
  assert.deepEqual(
    modelsOf(piper, one.filesOf)[0]!.voices.map(({ id, name, language }) => [id, name, language]),
    [['own-en_US-someone-medium', 'someone (en-us, medium)', 'en-us']],
  )
  const two = await added(t, KOKORO_ONNX_FILES)
  assert.deepEqual(
    [...two.filesOf('kokoro', two.own.model)!.keys()],
    ['onnx/model.onnx', 'tokenizer.json', 'voices/af_heart.bin', 'voices/jf_alpha.bin'],
  )
})

const OTHER = graphOf(['pixels'], ['label'])
const REFUSED: readonly [string, Contents, RegExp][] = [
  ['a graph of another kind', { 'cat.onnx': OTHER }, /No engine takes the inputs.*Found: cat\.onnx \(graph: pixels → label\)/],
  ['weights of another program', { 'model.safetensors': 'x', 'config.json': '{}' }, /weights of another program.*model\.safetensors/],
  ['no graph at all', { 'notes.txt': 'hello' }, /no ONNX graph among them\. Found: notes\.txt \(5 B\)/],
  ['a damaged graph', { 'model.onnx': 'not a graph at all' }, /model\.onnx \(no ONNX graph: /],
  ['a graph that is cut off', { 'x.onnx': piperGraph().slice(0, 400) }, /x\.onnx \(no ONNX graph: it ends inside/],
  [
    'a voice without its configuration',
    { 'x.onnx': piperGraph() },
    /look like Piper voice, but this is missing: its configuration x\.onnx\.json/,
  ],
  [
    'a configuration that is not valid',
    { 'x.onnx': piperGraph(), 'x.onnx.json': '{"audio":{}}' },
    /valid configuration: x\.onnx\.json: audio/,
  ],
  ['two voices', { ...PIPER_FILES, 'other.onnx': piperGraph(), 'other.onnx.json': '{}' }, /there are 2, so add one voice at a time/],
  [
    'Kokoro without voices',
    { 'kokoro-v1.0.onnx': KOKORO_ONNX_FILES['kokoro-v1.0.onnx']! },
    /look like Kokoro.*its voices: voices-v1\.0\.bin/,
  ],
  ['dictation without tokens', omit(SHERPA_FILES['online-paraformer']!, 'tokens.txt'), /look like sherpa-onnx.*missing: tokens\.txt/],
  ['half of Supertonic', omit(SUPERTONIC_FILES, 'onnx/tts.json'), /look like Supertonic.*missing: onnx\/tts\.json/],
]
function omit(contents: Contents, name: string): Contents {
  const { [name]: _, ...rest } = contents
  return rest
}

test('what is not recognised says why and what was found, and leaves nothing', async (t) => {
  for (const [title, contents, why] of REFUSED) {
    const { store, folder } = openStore(t, NOWHERE)
    await assert.rejects(store.add({ ...WANTED, addition: addition(folder, contents) }, 'local'), (error: Error & { code?: string }) => {
      assert.match(error.message, why, title)
      assert.equal(error.code, 'BAD_REQUEST', title)
      return true
    })
    assert.deepEqual(readdirSync(folder), [], title)
  }
})

test('a wrong engine, a wrong name, a name that is taken and another studio are refused', async (t) => {
  const { store, folder } = openStore(t, NOWHERE)
  const add = (more: object, by = 'local') => store.add({ ...WANTED, addition: addition(folder, PIPER_FILES), ...more }, by)
  await assert.rejects(add({ engine: 'kokoro' }), /The engine kokoro cannot read them/)
  await assert.rejects(add({ engine: 'nothing' }), /No files can be added for the engine nothing\. Engines: piper, kokoro/)
  for (const name of ['../x', 'a/b', '.hidden', 'ü', 'x'.repeat(61)]) await assert.rejects(add({ name }), /name cannot be used/, name)
  await add({ name: 'Joe' })
  await assert.rejects(add({ name: 'joe' }), { code: 'CONFLICT' })
  await assert.rejects(add({ name: 'jim' }, 'studio-1'), { code: 'NOT_FOUND' })
  await assert.rejects(store.add({ ...WANTED, addition: 'b'.repeat(32) }, 'local'), { code: 'NOT_FOUND' })
  rmSync(join(folder, `.adding-${'a'.repeat(32)}`), { recursive: true, force: true })
  assert.deepEqual(readdirSync(folder), ['piper'])
  assert.deepEqual(readdirSync(join(folder, 'piper')), ['own-Joe'])
})

test('names never become paths', async (t) => {
  const outside = temporaryFolder(t)
  const contents = Object.fromEntries(
    Object.entries(KOKORO_FILES).map(([name, bytes]) => [name.replace('README', `../../${outside}/../`).replace(/^/, '../../'), bytes]),
  )
  const { folder, own } = await added(t, contents, { name: 'safe' })
  assert.deepEqual(readdirSync(outside), [])
  assert.deepEqual(
    readModelManifest(join(folder, own.engine, own.model))!.files.map(({ path }) => path),
    ['onnx/model.onnx', 'tokenizer.json', 'voices/af_heart.bin', 'voices/bf_emma.bin'],
  )
})

test('a killed process leaves no half model: the next start removes what it left', async (t) => {
  const folder = temporaryFolder(t)
  addition(folder, PIPER_FILES)
  const { store } = openStore(t, NOWHERE, { folder })
  assert.deepEqual(readdirSync(folder), [])
  assert.ok(store.inventory().every(({ own }) => !own))
})

test('a studio that may not use the machine any more ends its addition, and nothing is left', async (t) => {
  const begun = Promise.withResolvers<void>()
  const { store, folder } = openStore(t, NOWHERE, {
    prepareModel: (_place, _wanted, signal) =>
      new Promise((_, reject) => {
        begun.resolve()
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
  })
  const adding = store.add({ ...WANTED, addition: addition(folder, PIPER_FILES) }, 'local')
  await begun.promise
  store.stopAll('studio-1')
  store.stopAll('local')
  await assert.rejects(adding, { code: 'CANCELLED' })
  assert.deepEqual(readdirSync(folder), [])
})

test('a few graphs of many are read, and a studio keeps no more than its number of models', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}.onnx`, graphOf(['pixels'], ['label'])]))
  const { store, folder } = openStore(t, NOWHERE)
  const place = addition(folder, many)
  const offered = await readOffered(join(folder, `.adding-${place}`), new AbortController().signal)
  assert.equal(offered.filter(({ graph }) => graph !== null).length, 40)
  await assert.rejects(store.add({ ...WANTED, addition: place }, 'local'), /No engine takes the inputs/)
  for (let at = 0; at <= 20; at++) {
    const made = join(folder, `.made-${at}`)
    mkdirSync(made)
    const model = { id: `own/m${at}`, label: 'x', role: 'TTS', engine: 'piper', model: `own-m${at}`, place: made, files: [] } as const
    if (at < 20) adopt(folder, model, 'studio-1')
    else {
      assert.throws(() => adopt(folder, model, 'studio-1'), /takes 20 models that were added from files of each studio/)
      adopt(folder, model, 'local')
    }
  }
})

test('a wrong list of files is refused in a sentence, and errors of the system are told without paths', async (t) => {
  const { store, folder } = openStore(t, NOWHERE)
  for (const list of ['[', '[""]', JSON.stringify(['x'.repeat(1_001)])]) {
    const hex = addition(folder, PIPER_FILES)
    writeFileSync(join(folder, `.adding-${hex}`, 'files.json'), list)
    await assert.rejects(store.add({ ...WANTED, addition: hex }, 'local'), {
      code: 'BAD_REQUEST',
      message: 'The list of the files is not valid. Add them again.',
    })
  }
  const hex = addition(folder, PIPER_FILES)
  mkdirSync(join(folder, `.adding-${hex}`, 'model'))
  await assert.rejects(store.add({ ...WANTED, addition: hex }, 'local'), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'WORKER_FAILED')
    assert.ok(!error.message.includes(folder), error.message)
    return true
  })
  assert.deepEqual(readdirSync(folder), [])
})

test('a full disk is named', async (t) => {
  const { store, folder } = openStore(t, NOWHERE, {
    prepareModel: async () => {
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    },
  })
  await assert.rejects(store.add({ ...WANTED, addition: addition(folder, PIPER_FILES) }, 'local'), { code: 'STORAGE_FULL' })
  assert.ok(!existsSync(join(folder, `.adding-${'a'.repeat(32)}`)))
})

test('what the owner added is used before what was downloaded', async (t) => {
  const { filesOf, folder } = await added(t, whisperFiles(t), { name: 'tuned' })
  placeModel(folder, 'faster-whisper', 'base', whisperFiles(t))
  const [first, ...named] = modelsOf(fasterWhisper, filesOf).map(({ model }) => model)
  assert.deepEqual([first, ...named], ['', 'own-tuned', 'base'])
  const voice = await added(t, KOKORO_ONNX_FILES, { name: 'mine' })
  placeModel(voice.folder, 'kokoro', '', KOKORO_FILES)
  assert.match([...findDownloaded(voice.filesOf, 'kokoro')!.values()][0]!, /own-mine/)
})

/** Marks a model as sent by a studio. */
function sentBy(folder: string, engine: string, model: string): void {
  const path = join(folder, engine, model, 'manifest.json')
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), by: 'studio-1' }))
}

test('a model that a studio sent is used by its name only, after every other one', async (t) => {
  const recogniser = await added(t, whisperFiles(t), { name: 'sent' })
  sentBy(recogniser.folder, 'faster-whisper', 'own-sent')
  const models = createWhisperModels(recogniser.filesOf)
  const offered = () => modelsOf(fasterWhisper, recogniser.filesOf).map(({ model }) => model)
  assert.deepEqual([await models.choose('', 'transcribe'), offered()], ['', ['own-sent']])
  assert.equal(await models.choose('own-sent', 'transcribe'), 'own-sent')
  placeModel(recogniser.folder, 'faster-whisper', 'tiny', whisperFiles(t))
  assert.deepEqual([await models.choose('', 'transcribe'), offered()], ['tiny', ['', 'tiny', 'own-sent']])

  const dictation = await added(t, SHERPA_FILES['online-transducer']!, { name: 'sent' })
  sentBy(dictation.folder, 'sherpa-onnx-asr', 'own-sent')
  const rows = sherpaOnnx.create({ filesOf: dictation.filesOf }).describe()
  assert.equal(
    rows.findIndex(({ model }) => model === 'own-sent'),
    rows.length - 1,
  )

  const network = await added(t, KOKORO_ONNX_FILES, { name: 'sent' })
  sentBy(network.folder, 'kokoro', 'own-sent')
  assert.equal(findDownloaded(network.filesOf, 'kokoro'), null)
  assert.notEqual(findDownloaded(network.filesOf, 'kokoro', 'own-sent'), null)
  assert.deepEqual(modelsToFind(network.filesOf, 'kokoro').at(-1), 'own-sent')

  const voice = await added(t, PIPER_FILES, { name: 'sent' })
  sentBy(voice.folder, 'piper', 'own-sent')
  const [unnamed] = modelsOf(piper, voice.filesOf)
  assert.deepEqual([unnamed?.languages, unnamed?.voices.map(({ id, defaultFor }) => [id, defaultFor])], [[], [['own-sent', undefined]]])
  assert.equal(fallbackVoice('', piperModels(voice.filesOf)), undefined)
})

test('no row of the catalogue has a name of this kind', () => {
  assert.ok(CATALOGUE.every(({ id, model }) => !isOwnModel(model) && modelOfOwnId(id) === null))
})
