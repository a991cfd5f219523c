// The only place that loads onnxruntime-node. Since 1.29 the library sends usage events to its maker, and stores a device id, unless the
// process was told not to before it loads it.
import { existsSync, readdirSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { fileURLToPath } from 'node:url'
import { PACKAGES } from '#shared/protocol/version.ts'
import { silenceProcess } from '#shared/runtime/child/environment.ts'

/** Package name in reports of versions. */
export const ONNX_PACKAGE = 'onnxruntime-node'

export const ONNX_NOT_INSTALLED =
  'The neural runtime is not installed, or it has no build for this kind of machine. Install the packages of this program again.'

const BINDING = 'onnxruntime_binding.node'

/** True if the runtime has a build for this kind of machine. Loads nothing. */
export const isOnnxInstalled = (): boolean => isInPackage() || isInNativePackage()

function isInPackage(): boolean {
  try {
    const builds = new URL('../bin/', import.meta.resolve(ONNX_PACKAGE))
    return readdirSync(builds).some((version) => existsSync(new URL(`${version}/${platform()}/${arch()}/${BINDING}`, builds)))
  } catch {
    return false
  }
}

/** True for a program that was installed as a package: its native parts are a package for each kind of machine. */
function isInNativePackage(): boolean {
  try {
    return existsSync(fileURLToPath(import.meta.resolve(`${PACKAGES.native}-${platform()}-${arch()}/${BINDING}`)))
  } catch {
    return false
  }
}

/** Path of the library of the runtime on Linux, with which a CUDA provider must have been built; null when it is not installed. */
export function runtimeLibrary(): string | null {
  const name = 'libonnxruntime.so.1'
  const places = [
    () => new URL(`../bin/napi-v6/${platform()}/${arch()}/${name}`, import.meta.resolve(ONNX_PACKAGE)),
    () => new URL(import.meta.resolve(`${PACKAGES.native}-${platform()}-${arch()}/${name}`)),
  ]
  for (const place of places) {
    try {
      const path = fileURLToPath(place())
      if (existsSync(path)) return path
    } catch {
      // This package is not installed.
    }
  }
  return null
}

export type OnnxLibrary = typeof import('onnxruntime-node')

/** Rejects when the package is missing or has no build for this machine. */
export function loadOnnx(): Promise<OnnxLibrary> {
  silenceProcess()
  return import('onnxruntime-node')
}
