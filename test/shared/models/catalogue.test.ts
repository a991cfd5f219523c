// Requirements for each row of the catalogue of models, so that it can be named over the link and be found by its engine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HTDEMUCS_FILE } from '#agent/engine/separate/htdemucs/engine.ts'

import { MDX_MODELS } from '#agent/engine/separate/mdx/models.ts'
import { firstModelOf } from '#control-plane/inference/missing-model.ts'
import { engineRow } from '#shared/engines.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import { hasPins, isPlainPath } from '#shared/models/model.ts'
import { ModelMessage } from '#shared/protocol/messages.ts'

test('ids and names are unique, and every id can be sent', () => {
  const unique = (values: readonly string[]) => assert.equal(new Set(values).size, values.length)
  unique(CATALOGUE.map(({ id }) => id))
  unique(CATALOGUE.map(({ engine, model }) => `${engine} ${model}`))
  for (const { id } of CATALOGUE) assert.ok(ModelMessage.safeParse({ id }).success, id)
})

const SEPARATING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'mdx-net': Object.fromEntries(Object.entries(MDX_MODELS).map(([name, { file }]) => [name, file])),
  htdemucs: { '': HTDEMUCS_FILE },
}
for (const [engine, files] of Object.entries(SEPARATING)) {
  test(`${engine} finds the file of each of its models`, () => {
    const rows = CATALOGUE.filter((row) => row.engine === engine)
    assert.deepEqual(rows.map(({ model }) => model).sort(), Object.keys(files).sort())
    for (const { model, sources } of rows) {
      const paths = sources.flatMap((source) => source.files.map(({ path }) => path))
      assert.ok(
        paths.some((path) => path.endsWith(files[model]!)),
        model,
      )
    }
  })
}

test('what is pinned has the form of a commit and of digests, and a size in sum that people are told', () => {
  const sources = CATALOGUE.flatMap((model) => model.sources)
  for (const { repo, revision, files } of sources) {
    assert.ok(revision === null || /^[0-9a-f]{40}$/.test(revision), repo)
    for (const { path, size, sha256 } of files) {
      const where = `${repo} ${path}`
      assert.ok(size === null || (Number.isSafeInteger(size) && size > 0), where)
      assert.ok(sha256 === null || /^[0-9a-f]{64}$/.test(sha256), where)
      assert.ok(sha256 === null || (size !== null && !path.includes('*')), where)
      assert.ok(path.replaceAll('*', 'x') !== '' && isPlainPath(path.replaceAll('*', 'x')), where)
    }
    assert.equal(new Set(files.map(({ path }) => path)).size, files.length, repo)
  }
  const whole = CATALOGUE.filter(hasPins)
  assert.ok(whole.length >= 35)
  for (const { id, sources: of, sizeGb } of whole) {
    const bytes = of.flatMap(({ files }) => files).reduce((sum, { size }) => sum + size!, 0)
    assert.ok(Math.abs(bytes / 1e9 - sizeGb) <= 0.02 * sizeGb, `${id}: ${bytes}`)
  }
})

test('a licence has to be accepted for the engines of the specification and for no other', () => {
  const gated = new Set(CATALOGUE.filter((row) => row.gated).map(({ engine }) => engine))
  assert.deepEqual([...gated].sort(), ['pockettts', 'supertonic3'])
  for (const row of CATALOGUE) assert.equal(row.gated, gated.has(row.engine), row.id)
})

test('each pair of languages has the licence of its model card', () => {
  const licences = CATALOGUE.filter(({ engine }) => engine === 'opus-mt').map(({ model, licence }) => [model.slice(8), licence] as const)
  assert.equal(licences.length, 14)
  assert.deepEqual(
    licences.flatMap(([pair, licence]) => (licence === 'CC-BY-4.0' ? [pair] : [])),
    ['en-de', 'ru-en', 'zh-en'],
  )
  assert.ok(licences.every(([, licence]) => licence === 'CC-BY-4.0' || licence === 'Apache-2.0'))
})

test('the rows of OmniVoice name the licence of the codec and its conditions', () => {
  const rows = CATALOGUE.filter(({ engine }) => engine === 'svc-engine')
  assert.ok(rows.length >= 3)
  for (const { licence, note } of rows) {
    assert.equal(licence, engineRow('svc-engine')!.licence)
    assert.match(licence, /^CC-BY-NC-4\.0 AND LicenseRef-Boson-Higgs-Audio-2/)
    assert.match(note, /non-commercial.*Boson Higgs Audio 2 Community License.*attribution.*100,000 annual active users/)
  }
})

test('the voices of Piper are named by language, known by MD5, and proposed only if their card was read', () => {
  const rows = CATALOGUE.filter(({ engine }) => engine === 'piper')
  assert.equal(rows.length, 171)
  for (const { id, model, group, card, sources, sizeGb } of rows) {
    assert.equal(id, `piper/${model}`)
    assert.match(group ?? '', /^Piper voices: [A-Z][a-z]+$/)
    assert.match(card ?? '', /\/MODEL_CARD$/)
    assert.ok(sizeGb > 0.005 && sizeGb < 0.15, id)
    const [graph, config] = sources[0]!.files
    assert.equal(config!.path, `${graph!.path}.json`)
    for (const { md5 } of [graph!, config!]) assert.match(md5 ?? '', /^[0-9a-f]{32}$/)
  }
  const [first] = rows
  assert.deepEqual(
    [first!.model, first!.licence, rows.filter(({ curatedOn }) => curatedOn.length > 0)],
    ['en_US-joe-medium', 'CC0-1.0', []],
  )
  assert.equal(firstModelOf('piper'), first)
  assert.equal(firstModelOf('sherpa-onnx'), first)
  assert.equal(new Set(rows.map(({ group }) => group)).size, 49)
  // Symbols of these voices need a program of their own.
  assert.deepEqual(
    rows.filter(({ model }) => /^(?:he|ja|th)_|chaowen|xiao_ya/.test(model)),
    [],
  )
})
