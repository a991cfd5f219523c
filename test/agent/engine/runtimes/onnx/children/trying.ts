// A host during a trial.
import { fileURLToPath } from 'node:url'
import { createGraphTrial } from '#agent/engine/runtimes/onnx/trial/trial.ts'

await createGraphTrial({ child: fileURLToPath(new URL('./orphan.ts', import.meta.url)) })('webgpu', process.argv[2]!)
