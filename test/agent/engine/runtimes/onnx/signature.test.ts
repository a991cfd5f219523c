import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { fieldBudget, readSignature } from '#agent/engine/runtimes/onnx/signature.ts'
import { STYLED_CONTRACT } from '#agent/engine/speech/styled-graph.ts'
import { sileroFile } from '#agent/engine/vad/silero/network.ts'
import { graphOf } from '#test/support/models/own/own-files.ts'
import { styledGraph } from '#test/support/models/styled-model.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

test('reads the same inputs and outputs as the runtime', async (t) => {
  const planted = join(temporaryFolder(t), 'planted.onnx')
  writeFileSync(planted, styledGraph())
  const graph = await openGraph(planted, { device: 'cpu', contract: STYLED_CONTRACT })
  t.after(() => graph.close())
  assert.deepEqual(await readSignature(planted), { inputs: graph.inputs, outputs: graph.outputs })

  const silero = await readSignature(sileroFile()!)
  assert.deepEqual(
    silero.inputs.map(({ name, type, dims }) => [name, type, dims.length]),
    [
      ['input', 'float32', 2],
      ['state', 'float32', 3],
      ['sr', 'int64', 0],
    ],
  )
})

test('a file that is not a graph fails with a reason, wherever it is cut', async (t) => {
  const path = join(temporaryFolder(t), 'broken.onnx')
  const whole = styledGraph()
  const attempts = [Buffer.alloc(0), Buffer.from('<html>'), Buffer.alloc(100_000, 0xff), Buffer.from('version https://git-lfs')]
  for (let length = 1; length < whole.length; length += 37) attempts.push(Buffer.from(whole.subarray(0, length)))
  for (const bytes of attempts) {
    writeFileSync(path, bytes)
    await assert.rejects(readSignature(path), RangeError)
  }
})

test('weights that are listed as inputs are none', async (t) => {
  const path = join(temporaryFolder(t), 'old.onnx')
  const weight = { name: 'weight', type: 'float32', dims: [1], values: [1] } as const
  writeFileSync(path, graphOf(['x', 'weight', 'y'], ['z'], { initializers: [weight] }))
  assert.deepEqual(
    (await readSignature(path)).inputs.map(({ name }) => name),
    ['x', 'y'],
  )
})

/** Bytes of a field of a message. */
function field(number: number, length: number): Buffer {
  const bytes = [number * 8 + 2]
  let left = length
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
  return Buffer.from([...bytes, left])
}

test('the names of a hostile graph do not fill the memory', { timeout: 120_000 }, async (t) => {
  const path = join(temporaryFolder(t), 'hostile.onnx')
  const [names, bytes] = [3_000, 60_000]
  const inner = field(8, bytes)
  const tensor = Buffer.concat([field(5, inner.length + bytes), inner])
  const file = openSync(path, 'w')
  const graph = field(7, names * (tensor.length + bytes))
  writeSync(file, graph, 0, graph.length, 0)
  // The rest of each name is a hole of the file.
  for (let at = 0; at < names; at++) {
    const head = Buffer.concat([tensor, Buffer.from(String(at).padStart(8, '0'))])
    writeSync(file, head, 0, head.length, graph.length + at * (tensor.length + bytes))
  }
  const end = graph.length + names * (tensor.length + bytes)
  writeSync(file, Buffer.alloc(1), 0, 1, end - 1)
  closeSync(file)
  const code = `
    const { readSignature } = await import('#agent/engine/runtimes/onnx/signature.ts')
    const { inputs, outputs } = await readSignature(process.argv[1])
    console.log(JSON.stringify({ inputs, outputs }))`
  const args = ['--max-old-space-size=64', '--input-type=module', '--eval', code, path]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.deepEqual([status, stdout.trim()], [0, '{"inputs":[],"outputs":[]}'], stderr.slice(0, 500))
})

test('graphs share a number of fields, and a signal ends the reading', async (t) => {
  const path = join(temporaryFolder(t), 'some.onnx')
  writeFileSync(path, styledGraph())
  const budget = fieldBudget()
  const whole = budget.fields
  await readSignature(path, budget)
  const used = whole - budget.fields
  assert.ok(used > 0)
  budget.fields = Math.floor(used * 1.5)
  await readSignature(path, budget)
  await assert.rejects(readSignature(path, budget), { name: 'RangeError', message: /too many fields/ })
  await assert.rejects(readSignature(path, fieldBudget(), AbortSignal.abort(new Error('stopped'))), /stopped/)
})
