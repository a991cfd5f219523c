// The throw-away child of a trial. Arguments: the device, and perhaps a graph. Says {why: null} when the device works, else why not.
// Its parent kills it after the answer: some drivers hang in their own clean-up.

import { InferenceSession, Tensor } from 'onnxruntime-node'
import { endWithParent } from './orphan.ts'

endWithParent()

const [, , device = 'cpu', file] = process.argv
/** y = x · x + x for a 2 × 2 matrix, opset 17: a graph that every device must manage. */
const SMALL = Buffer.from(
  'CAgSEXZvaWNlLXN0dWRpby10ZXN0OloKEwoBeAoBeBIBcCIGTWF0TXVsOgAKEAoBcAoBeBIBeSIDQWRkOgASB3BsYW50ZWRaEwoBeBIOCgwIARIICgIIAgoCCAJiEwoBeRIOCgwIARIICgIIAgoCCAJCBAoAEBE=',
  'base64',
)

const first = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n')[0]!.slice(0, 200)

async function answer(): Promise<string | null> {
  const options = { executionProviders: [device === 'directml' ? 'dml' : device], logSeverityLevel: 4 as const }
  try {
    if (file !== undefined) {
      await InferenceSession.create(file, options)
      return null
    }
    const session = await InferenceSession.create(SMALL, options)
    const { y } = await session.run({ x: new Tensor('float32', Float32Array.of(1, 2, 3, 4), [2, 2]) })
    const found = [...(y!.data as Float32Array)]
    return found.join() === '8,12,18,26' ? null : `computes wrongly (${found.join(', ')})`
  } catch (error) {
    return first(error)
  }
}

const why = await answer()
process.send?.({ why }, () => {})
// Kept alive for the message; the parent ends it.
process.on('disconnect', () => process.exit(0))
