// The child process of a trial. Arguments: the device and optionally a graph. Sends {why: null} when the device works, else the reason.
// The parent kills it after the answer, because some drivers hang during clean-up.

import { InferenceSession, Tensor } from 'onnxruntime-node'
import { endWithParent } from './orphan.ts'

endWithParent()

const [, , device = 'cpu', file] = process.argv
/** y = x · x + x for a 2 × 2 matrix, opset 17: a graph that every device must run. */
const SMALL_GRAPH = Buffer.from(
  'CAgSEXZvaWNlLXN0dWRpby10ZXN0OloKEwoBeAoBeBIBcCIGTWF0TXVsOgAKEAoBcAoBeBIBeSIDQWRkOgASB3BsYW50ZWRaEwoBeBIOCgwIARIICgIIAgoCCAJiEwoBeRIOCgwIARIICgIIAgoCCAJCBAoAEBE=',
  'base64',
)

const firstLine = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n')[0]!.slice(0, 200)

async function answer(): Promise<string | null> {
  const options = { executionProviders: [device === 'directml' ? 'dml' : device], logSeverityLevel: 4 as const }
  try {
    if (file !== undefined) {
      await InferenceSession.create(file, options)
      return null
    }
    const session = await InferenceSession.create(SMALL_GRAPH, options)
    const { y } = await session.run({ x: new Tensor('float32', Float32Array.of(1, 2, 3, 4), [2, 2]) })
    const found = [...(y!.data as Float32Array)]
    return found.join() === '8,12,18,26' ? null : `computes wrongly (${found.join(', ')})`
  } catch (error) {
    return firstLine(error)
  }
}

const why = await answer()
process.send?.({ why }, () => {})
// Stays alive until the message is sent; the parent ends it.
process.on('disconnect', () => process.exit(0))
