import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { readSignature } from '#agent/engine/runtimes/onnx/signature.ts'
import { STYLED_CONTRACT } from '#agent/engine/speech/styled-graph.ts'
import { sileroFile } from '#agent/engine/vad/silero/network.ts'
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
