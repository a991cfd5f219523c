// The only place that loads onnxruntime-node. Since 1.29 the library sends usage events to its maker, and stores a device id, unless the
// process was told not to before it loads it.
import { silenceProcess } from '#shared/runtime/child/environment.ts'

/** For reports of versions. */
export const ONNX_PACKAGE = 'onnxruntime-node'

export type OnnxLibrary = typeof import('onnxruntime-node')

/** Rejects when the package is missing or has no build for this machine. */
export function loadOnnx(): Promise<OnnxLibrary> {
  silenceProcess()
  return import('onnxruntime-node')
}
