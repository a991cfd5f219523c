// The recommended model of OmniVoice from the catalogue over the downloader to speech: paths, folders and commits, with small files.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { installedVariants } from '#agent/engine/tts/omnivoice/files.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import type { CatalogueModel } from '#shared/models/model.ts'
import { install, openStore } from '#test/agent/models/open-store.ts'
import { openModelServer, sha256 } from '#test/support/doubles/model-server.ts'
import { engineOf, plain, take } from './run-tiny.ts'
import { backboneFiles, codecFiles, tinyModel, tokenizerJson } from './tiny.ts'

const ROW = CATALOGUE.find(({ engine, required }) => engine === 'svc-engine' && required)!

test('the recommended download speaks, and every graph finds its external weights', async (t) => {
  const small: Record<string, Uint8Array> = {
    ...backboneFiles('published'),
    ...codecFiles(),
    'tokenizer.json': Buffer.from(tokenizerJson()),
  }
  const repos: Record<string, Record<string, Buffer>> = {}
  const sources = ROW.sources.map((source) => ({
    ...source,
    files: source.files.map(({ path, sha256: digest }) => {
      const bytes = Buffer.from(small[path] ?? assert.fail(`the test has no ${path}`))
      repos[source.repo] = { ...repos[source.repo], [path]: bytes }
      return { path, size: bytes.length, sha256: digest === null ? null : sha256(bytes) }
    }),
  }))
  const wanted = new Set(sources.flatMap(({ files }) => files.map(({ path }) => path)))
  assert.deepEqual(new Set(Object.keys(small)), wanted, 'the row names every file, and no other')
  const model: CatalogueModel = { ...ROW, sources }

  const server = await openModelServer(t, repos)
  const { store } = openStore(t, server.url, { models: [model] })
  const last = (await install(store, model.id)).at(-1)!
  assert.equal(last.phase, 'install_done', last.message)
  assert.deepEqual(
    server.asked.filter(({ path }) => path.includes('/revision/')),
    [],
    'no branch has a word in it',
  )

  const [variant] = installedVariants('svc-engine', store.filesOf)
  assert.deepEqual([variant?.model, variant?.repo], ['omnivoice-fp32', 'dellusional/OmniVoice-ONNX-bidirectional'])
  const engine = engineOf(store)
  assert.deepEqual(
    engine.describe().map(({ model: name, cloning, modelDigest }) => [name, cloning, modelDigest]),
    ['', 'omnivoice-fp32'].map((name) => [name, true, store.digestOf('svc-engine', 'omnivoice-fp32')]),
  )
  const { parts } = await take(engine, plain('Same words for all.'))
  const planted = engineOf(tinyModel(t, backboneFiles('published')))
  assert.deepEqual(parts, (await take(planted, plain('Same words for all.'))).parts)
  await engine.unload()
  await planted.unload()
})

test('files without a digest have a pinned commit and a size', () => {
  for (const { repo, revision, files } of ROW.sources) {
    assert.notEqual(revision, null, repo)
    for (const { path, size, sha256: digest } of files) {
      assert.ok(size !== null, path)
      assert.equal(digest === null, path.endsWith('_encoder.onnx') && path.startsWith('audio_tokenizer/'), path)
    }
  }
  const bytes = ROW.sources.flatMap(({ files }) => files).reduce((sum, { size }) => sum + size!, 0)
  assert.ok(Math.abs(bytes / 1e9 - ROW.sizeGb) < 0.01, String(bytes))
  assert.ok(ROW.memoryBytes > bytes)
})
