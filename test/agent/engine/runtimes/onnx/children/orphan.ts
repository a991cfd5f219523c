// A child of a trial that writes its process id to a file and then hangs in "native code".
import { writeFileSync } from 'node:fs'
import { endWithParent } from '#agent/engine/runtimes/onnx/orphan.ts'

endWithParent()
const [, , device, file] = process.argv
// The thread of the watch needs a moment of the main thread to start; afterwards it needs it no more.
await new Promise((resolve) => setTimeout(resolve, 1_500))
writeFileSync(file ?? device!, String(process.pid))
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
