// The native speech library sherpa-onnx, loaded lazily and in engine hosts only. It bundles its own ONNX runtime and computes on the CPU.

import { existsSync } from 'node:fs'
import { arch, availableParallelism, platform } from 'node:os'
import { Failure } from '#shared/protocol/failure.ts'

/** Package name in reports of versions. */
export const SHERPA_PACKAGE = 'sherpa-onnx-node'

/** The used part of its offline and streaming recognisers. */
export type OfflineStream = { readonly acceptWaveform: (sound: { samples: Float32Array; sampleRate: number }) => void }
export type OnlineStream = OfflineStream & { readonly inputFinished: () => void }
export type OfflineRecogniser = {
  readonly createStream: () => OfflineStream
  readonly setConfig: (config: object) => void
  readonly decodeAsync: (stream: OfflineStream) => Promise<unknown>
}
export type OnlineRecogniser = {
  readonly createStream: () => OnlineStream
  readonly isReady: (stream: OnlineStream) => boolean
  readonly decode: (stream: OnlineStream) => void
  readonly getResult: (stream: OnlineStream) => unknown
}
/** `language` blocks the main thread and returns '' when the networks fail. */
export type Identifier = { readonly language: (samples: Float32Array) => string }
export type SherpaLibrary = {
  readonly offline: (config: object) => Promise<OfflineRecogniser>
  readonly online: (config: object) => OnlineRecogniser
  readonly identifier: (config: object) => Identifier
}

const SYSTEM = platform() === 'win32' ? 'win' : platform()
const BUILDS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win-x64', 'win-ia32']
/** True if the library has a build for this kind of machine. Loads nothing. */
export const isSherpaSupported = (): boolean => BUILDS.includes(`${SYSTEM}-${arch()}`)
export const isSherpaInstalled = (): boolean => {
  try {
    return existsSync(new URL(`../sherpa-onnx-${SYSTEM}-${arch()}/sherpa-onnx.node`, import.meta.resolve('sherpa-onnx-node')))
  } catch {
    return false
  }
}
export const SHERPA_NOT_SUPPORTED = 'There is no build of the speech library sherpa-onnx for this kind of machine.'
export const SHERPA_NOT_INSTALLED = 'The speech library sherpa-onnx is not installed. Install the packages of this program again.'

/** More than four threads make it no faster, and the rest of the machine needs some. */
export const sherpaThreads = (): number => Math.max(1, Math.min(4, availableParallelism()))

export async function loadSherpa(): Promise<SherpaLibrary> {
  try {
    const { default: loaded } = await import('sherpa-onnx-node')
    const { OfflineRecognizer, OnlineRecognizer, SpokenLanguageIdentification } = loaded
    return {
      offline: (config) => OfflineRecognizer.createAsync(config),
      online: (config) => new OnlineRecognizer(config),
      identifier(config) {
        const native = new SpokenLanguageIdentification(config)
        return {
          language(samples) {
            const stream = native.createStream()
            stream.acceptWaveform({ samples, sampleRate: 16_000 })
            return native.compute(stream)
          },
        }
      },
    }
  } catch (cause) {
    throw new Failure('MODEL_NOT_INSTALLED', isSherpaSupported() ? SHERPA_NOT_INSTALLED : SHERPA_NOT_SUPPORTED, { cause })
  }
}
