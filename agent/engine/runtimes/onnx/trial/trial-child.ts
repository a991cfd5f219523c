// The child process of a trial. Arguments: the device and optionally a graph. Sends its answer; the parent kills it then, because some drivers
// hang during clean-up.

import { loadOnnx } from '../library.ts'
import { endWithParent } from '../orphan.ts'
import type { TrialAnswer } from './cause.ts'
import { tryProduct } from './product.ts'

endWithParent()
const [, , device = 'cpu', file] = process.argv
const provider = device === 'directml' ? 'dml' : device
/** A message of the runtime may contain a whole graph. */
const MESSAGE_CHARACTERS = 16_384

async function answer(): Promise<TrialAnswer> {
  try {
    if (file === undefined) return await tryProduct(provider)
    const { InferenceSession } = await loadOnnx()
    await InferenceSession.create(file, { executionProviders: [provider], logSeverityLevel: 4 })
    return { kind: 'works' }
  } catch (error) {
    return { kind: 'failed', message: (error instanceof Error ? error.message : String(error)).slice(-MESSAGE_CHARACTERS) }
  }
}

process.send?.(await answer(), () => {})
// Stays alive until the message is sent; the parent ends it.
process.on('disconnect', () => process.exit(0))
