// Pronounces the languages of Kokoro: English by our own rules, which are those that the model was trained with, the others by espeak-ng.

import { openOnce } from '#agent/engine/seam/opening.ts'
import { TIE, toKokoroSymbols } from '#agent/engine/speech/kokoro-symbols.ts'
import { createPhonemizer } from '#agent/engine/speech/phonemes.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { VoiceLanguage } from './voices.ts'

type Options = { readonly signal: AbortSignal; readonly refused: (word: string) => void }
export type KokoroSymbols = {
  /** The symbols of a piece of text, in the alphabet of the model. Throws as `English.symbols`, and as a phonemizer. */
  readonly symbols: (text: string, language: VoiceLanguage, options: Options) => Promise<string>
  readonly close: () => Promise<void>
}

export function createKokoroSymbols(clock: Clock): KokoroSymbols {
  const phonemize = createPhonemizer({ clock, tie: TIE })
  // An agent that describes itself does not need its modules.
  const english = openOnce(
    async () => (await import('#agent/engine/speech/english/english.ts')).createEnglish({ clock }),
    (opened) => opened.close(),
  )
  return {
    async symbols(text, { espeak, variety }, { signal, refused }) {
      if (variety !== null) return await (await english.load()).symbols(text, variety, { signal, refused })
      return toKokoroSymbols(await phonemize(text, espeak, signal, refused), espeak)
    },
    close: english.unload,
  }
}
