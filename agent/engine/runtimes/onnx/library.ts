// The only place that loads onnxruntime-node. Since 1.29 the library sends usage events to its maker, and stores a device id, unless the
// process was told not to before it loads it.
import { existsSync, readdirSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { silenceProcess } from '#shared/runtime/child/environment.ts'

/** Package name in reports of versions. */
export const ONNX_PACKAGE = 'onnxruntime-node'

export const ONNX_NOT_INSTALLED =
  'The neural runtime is not installed, or it has no build for this kind of machine. Install the packages of this program again.'

/** True if the runtime has a build for this kind of machine. Loads nothing. */
export function isOnnxInstalled(): boolean {
  try {
    const builds = new URL('../bin/', import.meta.resolve(ONNX_PACKAGE))
    return readdirSync(builds).some((version) => existsSync(new URL(`${version}/${platform()}/${arch()}/onnxruntime_binding.node`, builds)))
  } catch {
    return false
  }
}

export type OnnxLibrary = typeof import('onnxruntime-node')

/** Rejects when the package is missing or has no build for this machine. */
export function loadOnnx(): Promise<OnnxLibrary> {
  silenceProcess()
  return import('onnxruntime-node')
}
