// The folder of weights that STUDIO_TEST_WEIGHTS names, and Whisper base of it, which hears what voices say.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fasterWhisper } from '#agent/engine/asr/whisper/engine.ts'
import type { AsrResult } from '#shared/operations/asr.ts'
import { asAudio, eventsOf, resultOf } from '#test/agent/engine/audio/recording.ts'
import { WHISPER_EXPORT } from './exports.ts'

const WEIGHTS = process.env['STUDIO_TEST_WEIGHTS'] ?? ''
export const WHISPER_REPOSITORY = 'onnx-community/whisper-base_timestamped'
const MODEL = 'base-q8'

/** False, or why `folder` of the weights is not used. */
export function withoutWeights(folder: string): string | false {
  if (!WEIGHTS) return 'STUDIO_TEST_WEIGHTS names no folder with weights.'
  return existsSync(join(WEIGHTS, folder)) ? false : `The folder of STUDIO_TEST_WEIGHTS has no ${folder}/.`
}
const whisperPath = (path: string): string => join(WEIGHTS, 'whisper-base', path)
/** Files in the form of their repository. */
export const whisperFiles = (): Readonly<Record<string, Buffer>> =>
  Object.fromEntries(WHISPER_EXPORT.map(({ path }) => [path, readFileSync(whisperPath(path))]))

/** Whisper base without a studio. */
export function openListener() {
  const files = new Map(WHISPER_EXPORT.map(({ path }) => [path, whisperPath(path)]))
  const engine = fasterWhisper.create({ filesOf: (_engine, model) => (model === MODEL ? files : null) })
  const { signal } = new AbortController()
  return {
    hear: async (samples: Float32Array, params: object = {}): Promise<AsrResult> =>
      resultOf<AsrResult>(await eventsOf(engine.run('asr', params, signal, asAudio(samples), MODEL))),
    close: () => engine.unload(),
  }
}
