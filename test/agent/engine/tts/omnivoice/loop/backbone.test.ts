// Exports of one backbone, which have different inputs and must return the same logits.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type GraphFactory, openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { omniVoice } from '#agent/engine/tts/omnivoice/engine.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { engineOf, plain, refused, take } from '../run-tiny.ts'
import { backboneFiles, type Export, tinyModel } from '../tiny.ts'

/** An engine that remembers how many rows the backbone was fed, pass by pass. */
function counted(t: TestContext, kind: Export) {
  const rows: number[] = []
  const { filesOf } = tinyModel(t, backboneFiles(kind))
  const open: GraphFactory = async (file, wish) => {
    const graph = await openGraph(file, wish)
    const run: typeof graph.run = (feeds, outputs) => {
      const fed = feeds['attention_mask'] ?? feeds['audio_mask']
      if (fed && !file.endsWith('audio_embeddings_encoder.onnx')) rows.push(fed.dims[0]!)
      return graph.run(feeds, outputs)
    }
    return { ...graph, run }
  }
  return { rows, engine: omniVoice.create({ filesOf, open, device: 'cpu' }) }
}
/** Passes of the check at load. */
const CHECKS = [1, 1]
const repeated = (times: number, ...passes: number[]) => Array.from({ length: times }, () => passes).flat()

test('all exports of the same weights give the same logits, with any batch size', async (t) => {
  const passes: Partial<Record<Export, readonly number[]>> = {
    none: repeated(4, 1, 1),
    columns: repeated(4, 2),
    pairs: repeated(4, 2),
    positions: repeated(4, 2),
    split: repeated(4, 2),
    single: repeated(4, 1, 1),
    // The first pass detects it; later passes do not request two rows.
    mislabelled: [2, ...repeated(4, 1, 1)],
  }
  const heard = []
  for (const [kind, wanted] of Object.entries(passes)) {
    const { rows, engine } = counted(t, kind as Export)
    heard.push((await take(engine, plain('Same words for all.'))).parts[0]!)
    assert.deepEqual(heard.at(-1), heard[0], kind)
    assert.deepEqual(rows, [...CHECKS, ...wanted], kind)
    if (kind === 'mislabelled') {
      await take(engine, plain('Same words for all.'))
      assert.deepEqual(rows.slice(-8), repeated(4, 1, 1))
      assert.equal(rows.filter((count) => count === 2).length, 1)
    }
    await engine.unload()
  }
})

test('the pinned export works: one row, half precision at both ends, external weights', async (t) => {
  const { rows, engine } = counted(t, 'published')
  const whole = engineOf(tinyModel(t, backboneFiles('rounded')))
  const said = await take(engine, plain('Same words for all.'))
  assert.deepEqual(said.parts, (await take(whole, plain('Same words for all.'))).parts, 'as one graph that rounds in the same places')
  assert.deepEqual(rows, [...CHECKS, ...repeated(4, 1, 1)])
  await engine.unload()
  await whole.unload()
})

test('a backbone that also fails with one row reports its first failure', async (t) => {
  const { filesOf } = tinyModel(t, backboneFiles('split'))
  let isBroken = false
  const open: GraphFactory = async (file, wish) => {
    const graph = await openGraph(file, wish)
    const run: typeof graph.run = (feeds, outputs) => {
      const rows = feeds['attention_mask']?.dims[0]
      if (isBroken && rows) throw new Failure('WORKER_FAILED', `gone with ${rows} rows`)
      return graph.run(feeds, outputs)
    }
    return { ...graph, run }
  }
  const engine = omniVoice.create({ filesOf, open, device: 'cpu' })
  await engine.load()
  isBroken = true
  await assert.rejects(take(engine, plain('Never.')), refused('WORKER_FAILED', /gone with 2 rows/))
  isBroken = false
  await take(engine, plain('Still here.'))
  await engine.unload()
})
