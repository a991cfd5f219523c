// Speaks a sentence with the model of a folder on one device, without a trial, and prints the samples. A driver is chosen by the environment of
// the process, so this is a process of its own. Arguments: the folder of the models, the device.

import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { omniVoice } from '#agent/engine/tts/omnivoice/engine.ts'
import { filesIn } from '#agent/models/manifest.ts'
import { plain, take } from '#test/agent/engine/tts/omnivoice/run-tiny.ts'

const [, , folder = '', device = 'cpu'] = process.argv
const engine = omniVoice.create({ filesOf: filesIn(folder), open: openGraph, device })
await engine.load('')
const { parts } = await take(engine, plain('The same.'))
process.stdout.write(JSON.stringify([...parts[0]!]), () => process.exit(0))
