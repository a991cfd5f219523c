// Checks the results of Whisper's decoder, and how often it computes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GraphFactory, openGraph, type Tensor } from '#agent/engine/runtimes/onnx/session.ts'
import { openWhisper } from '#agent/engine/runtimes/transformers/whisper.ts'
import { plantedWhisper } from './planted.ts'

test('keys and values are computed once for a window, and attentions only on request', async (t) => {
  const runs: { tokens: number; isFirst: boolean; outputs: readonly string[] }[] = []
  const counted: GraphFactory = async (file, options) => {
    const graph = await openGraph(file, options)
    const run: typeof graph.run = (inputs: Readonly<Record<string, Tensor>>, outputs) => {
      const ids = inputs['input_ids']
      if (ids) runs.push({ tokens: ids.values.length, isFirst: inputs['use_cache_branch']!.values[0] === 0, outputs: outputs! })
      return graph.run(inputs, outputs)
    }
    return { ...graph, run }
  }
  const network = await openWhisper(plantedWhisper(t, { spoken: { Ġhello: [0, 1], Ġworld: [1, 2] } }), counted)
  t.after(network.close)
  const window = await network.encode(new Float32Array(16_000))
  const { signal } = new AbortController()
  const prefix = [network.startOfTranscript, network.languages.get('en')!, network.tasks.get('transcribe')!]
  const request = { prefix, maxTokens: 20, isFiltered: true, signal, pick: (logits: Float32Array) => logits.indexOf(Math.max(...logits)) }
  const [one, two] = [await network.generate(window, request), await network.generate(window, request)]
  assert.deepEqual(one, two)
  assert.equal(one.length, 7)
  assert.equal(runs.filter(({ isFirst }) => isFirst).length, 1)
  // The prefix once, and each token of both decodings; the end is not read.
  assert.equal(runs.length, 1 + 2 * one.length)
  const named = (part: string) => runs.filter(({ outputs }) => outputs.some((name) => name.includes(part))).length
  assert.deepEqual([named('encoder'), named('cross_attentions')], [1, 0])
  const attentions = await network.attentions(window, [...prefix, network.noTimestamps, 0, 1, network.endOfText])
  assert.deepEqual(attentions.map(({ dims }) => dims), [[1, 2, 7, 1500]]) // biome-ignore format: one line
  assert.equal(named('cross_attentions'), 1)
})
