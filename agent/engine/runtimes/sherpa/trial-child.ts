// The child process of a trial: opens a model as the engine would. The library ends its process for a damaged file, which the parent takes
// as a failure. Argument: the plan as JSON.

import { endWithParent } from '#agent/engine/runtimes/onnx/orphan.ts'
import { type Identifier, loadSherpa } from './library.ts'
import { PlanArgument } from './trial.ts'

endWithParent()
const { kind, config } = PlanArgument.parse(JSON.parse(process.argv[2]!))

async function answer(): Promise<string | null> {
  try {
    const library = await loadSherpa()
    const opened = await library[kind](config)
    // An identifier detects networks that do not fit each other only when it runs; it then returns no language.
    if (kind === 'identifier' && (opened as Identifier).language(new Float32Array(16_000)) === '') return 'it names no language:'
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const reason = await answer()
process.send?.({ reason }, () => {})
// Stays alive until the message is sent; the parent ends it.
process.on('disconnect', () => process.exit(0))
