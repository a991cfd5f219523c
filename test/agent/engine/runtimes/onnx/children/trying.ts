// A host that is in the middle of a trial.
import { fileURLToPath } from 'node:url'
import { createTrial } from '#agent/engine/runtimes/onnx/trial.ts'

await createTrial({ child: fileURLToPath(new URL('./orphan.ts', import.meta.url)) })('webgpu', process.argv[2]!)
