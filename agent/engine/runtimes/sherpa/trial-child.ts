// The throw-away child of a trial: opens what the files are said to be, as the engine would. The library ends its process over a file that is
// not what it should be; here that is an answer. Argument: what to open, as JSON.

import { endWithParent } from '../onnx/orphan.ts'
import { type Identifier, loadSherpa } from './library.ts'
import { PlanArgument } from './trial.ts'

endWithParent()
const { kind, config } = PlanArgument.parse(JSON.parse(process.argv[2]!))

async function answer(): Promise<string | null> {
  try {
    const library = await loadSherpa()
    const made = await library[kind](config)
    // A diariser is made without a look at its network for voices, and dies at the first one.
    if (kind === 'diariser') library.voices((config as { embedding: object }).embedding)
    // An identifier says nothing of networks that do not fit each other until it is asked, and then names no language.
    if (kind === 'identifier' && (made as Identifier).language(new Float32Array(16_000)) === '') return 'it names no language:'
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const why = await answer()
process.send?.({ why }, () => {})
// Kept alive for the message; the parent ends it.
process.on('disconnect', () => process.exit(0))
