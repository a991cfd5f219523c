// The native engine: OmniVoice once its weights are downloaded, until then an embedded voice as a substitute: the neural one where its runtime
// has a build for this machine, otherwise Flite.

import { isOnnxInstalled } from '#agent/engine/runtimes/onnx/library.ts'
import type { EngineDefinition } from '#agent/engine/seam/define.ts'
import type { Engine } from '#agent/engine/seam/engine.ts'
import { realOrSubstitute } from '#agent/engine/seam/real-or-substitute.ts'
import { speaksLanguage } from '#agent/engine/speech/voice-choice.ts'
import { flite } from '#agent/engine/tts/flite/engine.ts'
import { heart } from '#agent/engine/tts/heart/engine.ts'
import { omniVoice } from '#agent/engine/tts/omnivoice/engine.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'

export const svcEngine: EngineDefinition = {
  ...omniVoice,
  create: (deps) =>
    realOrSubstitute(
      omniVoice.create(deps),
      isOnnxInstalled() ? inPlaceOfNative('Heart', heart.create(deps)) : inPlaceOfNative('Flite', flite.create()),
    ),
}

/** The default model of another engine under the id of the native one. `name`: what users call it. */
function inPlaceOfNative(name: string, voice: Engine): Engine {
  return {
    ...voice,
    describe: () =>
      voice
        .describe()
        .slice(0, 1)
        .map((own) => ({
          ...own,
          engine: omniVoice.id,
          standsIn: `Using the voice ${name}, because the model of the Voice Studio engine is not installed.`,
        })),
    load: () => voice.load(),
    async *run(operation, params, signal, inputs, _model, owner) {
      refuseOtherLanguages(name, voice.describe()[0]!.languages, params)
      yield* voice.run(operation, params, signal, inputs, '', owner)
    },
  }
}

function refuseOtherLanguages(name: string, languages: readonly string[], params: unknown): void {
  const language: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'language') : null
  if (typeof language !== 'string' || speaksLanguage(language, languages)) return
  throw new Failure(
    'MODEL_NOT_DOWNLOADED',
    `The voice ${name} speaks English only. Check the language "${language.trim().slice(0, 32)}". Other languages need the model of the Voice Studio engine, or espeak-ng, which ${COMMAND} setup installs.`,
  )
}
