// The texts of the library.
import { characters } from '#shared/protocol/fields/characters.ts'

/** Without NUL, where most programs would end the text. */
export const text = (chars: number) => characters(chars).refine((value) => !value.includes('\0'), 'must not contain NUL characters')

/**
 * The longest texts of a voice. A bundle carries each of them in full: a voice that can be exported can be imported.
 */
export const VOICE_CHARS = { name: 1_000, language: 64, instruct: 4_096, refText: 10_000, personality: 4_000, description: 4_000 } as const
