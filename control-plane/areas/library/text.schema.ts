// The texts of the library.
import { z } from 'zod'

/** Without NUL, where most programs would end the text. */
export const text = (chars: number) =>
  z
    .string()
    .max(chars)
    .refine((value) => !value.includes('\0'), 'must not contain NUL characters')

/**
 * The longest texts of a voice, in UTF-16 units. A bundle carries each of them in full: a voice that can be exported can be imported.
 */
export const VOICE_CHARS = { name: 1_000, language: 64, instruct: 4_096, refText: 10_000, personality: 4_000, description: 4_000 } as const
