// The operations that run in threads, by name.
import { assembleVoice } from '../mix/assemble.ts'
import { checkVoice } from '../mix/check.ts'
import { mixFilm } from '../mix/mix.ts'
import { stretchFilm } from '../mix/stretch.ts'
import { extractSound } from '../sound/extract.ts'
import { measureVoices } from '../sound/measure.ts'

export const FILM_OPERATIONS = {
  extract: extractSound,
  measure: measureVoices,
  assemble: assembleVoice,
  mix: mixFilm,
  stretch: stretchFilm,
  check: checkVoice,
} as const
export type FilmOperation = keyof typeof FILM_OPERATIONS
