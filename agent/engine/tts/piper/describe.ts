// The agent's description of this engine.

import { type Capability, capability } from '#agent/engine/seam/engine.ts'
import { ESPEAK } from '#agent/engine/speech/phonemes.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { fallbackVoice, type PiperModel, piperLanguage, usualVoice } from './voices.ts'

/** Kinds of symbols that can be made from text here. */
export const FRONT_ENDS: readonly string[] = ['espeak', 'text']
/** Measured: memory of the host process after runs of three voices that stay open. */
const MEMORY_BYTES = 512 * 1024 ** 2
const USUAL_RATE = 22_050
/** A message takes 5,000. */
const MAX_VOICES = 4_000
/** A voice is a default in at most so many languages. */
const MAX_DEFAULTS = 64

/** The capability of all voices, and under the id `piper` one for each of them, which is a model. `path`: of programs. */
export function describePiper(engine: string, models: readonly PiperModel[], path: string): Capability[] {
  const hasEspeak = findProgram(ESPEAK, path) !== null
  const usable = models.filter(({ config }) => FRONT_ENDS.includes(config?.phoneme_type ?? 'espeak'))
  const of = (some: readonly PiperModel[], model: string): Capability => {
    const isHere = some.length > 0
    const reasons = [
      ...(hasEspeak ? [] : [`The program ${ESPEAK}, which pronounces the text, is not installed. Run ${COMMAND} setup.`]),
      ...(isHere ? [] : [`The model is not downloaded. List the voices with ${COMMAND} models, and install one of them.`]),
    ]
    const voices = some.flatMap((each) => each.voices).slice(0, MAX_VOICES)
    // A task that names no voice gets none of a studio's.
    const choosable = model === '' ? some.filter(({ isSent }) => !isSent) : some
    const languages = choosable.flatMap((each) => each.voices).map(({ tag }) => piperLanguage(tag))
    return capability({
      engine,
      model,
      operation: 'tts',
      implementation: 'piper-vits',
      languages: isHere ? [...new Set(languages.filter(Boolean))] : ['*'],
      voices: voices.map(({ id, name, tag }) => {
        const defaultFor = model === '' ? defaultsOf(id, some) : id === usualVoice(some[0]!).id ? ['*'] : []
        return { id, name, language: tag, ...(defaultFor.length > 0 && { defaultFor }) }
      }),
      installed: hasEspeak,
      downloaded: isHere,
      phones: choosable.some(({ config }) => config?.phoneme_type === 'text') ? '' : 'ipa',
      sampleRate: (choosable[0] ?? some[0])?.config?.audio.sample_rate ?? USUAL_RATE,
      memoryBytes: MEMORY_BYTES,
      ...(reasons.length > 0 && { reason: reasons.join(' ') }),
    })
  }
  return [of(usable, ''), ...(engine === 'piper' ? usable.map((each) => of([each], each.model)) : [])]
}

/** The languages in which a task that names no voice is spoken by this one. */
function defaultsOf(id: string, models: readonly PiperModel[]): string[] {
  const tags = new Set(models.flatMap(({ voices }) => voices.slice(0, 1).flatMap(({ tag }) => [piperLanguage(tag), tag])))
  return ['', ...tags].filter((tag) => fallbackVoice(tag, models)?.id === id).slice(0, MAX_DEFAULTS)
}
