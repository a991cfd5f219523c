// Damaged files of the networks for diarisation.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import type { TestContext } from 'node:test'
import { pyannote } from '#agent/engine/diarize/pyannote/engine.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import { filesIn } from '#test/agent/engine/runtimes/onnx/folder.ts'
import { embedding, segmentation } from './planted.ts'

export const NAMES = ['segmentation/model.onnx', 'embedding/voices.onnx'] as const
export const files = (t: TestContext, more: Partial<Record<(typeof NAMES)[number], Uint8Array | string>> = {}) =>
  filesIn(t, { [NAMES[0]]: segmentation(), [NAMES[1]]: embedding(), ...more })

export async function rejectsDamaged(t: TestContext): Promise<void> {
  const broken: [Parameters<typeof files>[1], RegExp][] = [
    [{ [NAMES[0]]: segmentation().subarray(0, 200) }, /model\.onnx/],
    [{ [NAMES[0]]: embedding() }, /input x is missing/],
    [{ [NAMES[1]]: segmentation() }, /voices\.onnx is the wrong export/],
    [{ [NAMES[0]]: 'PK\u0003\u0004 a zip' }, /model\.onnx/],
    [{ [NAMES[0]]: '' }, /./],
  ]
  for (const [more, words] of broken) {
    const found = files(t, more)
    const engine = pyannote.create({ filesOf: () => found })
    const failure = await engine.load().catch((error: Failure) => error)
    assert.ok(failure, 'it was opened')
    assert.deepEqual([failure.code, words.test(failure.message)], ['MODEL_NOT_DOWNLOADED', true], failure.message)
    assert.ok(/download/i.test(`${failure.message} ${failure.hint}`) && !failure.message.includes(tmpdir()), failure.message)
  }
}
