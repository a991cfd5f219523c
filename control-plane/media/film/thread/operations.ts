// The operations that run in threads, by name.
import { extractSound } from '../sound/extract.ts'

export const FILM_OPERATIONS = { extract: extractSound } as const
export type FilmOperation = keyof typeof FILM_OPERATIONS
