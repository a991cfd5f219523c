// The texts of the library.
import { z } from 'zod'

/** Without NUL, where most programs would end the text. */
export const text = (chars: number) =>
  z
    .string()
    .max(chars)
    .refine((value) => !value.includes('\0'), 'must not contain NUL characters')
