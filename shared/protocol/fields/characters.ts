// The length of texts in characters, which are code points: an emoji is one, although a JavaScript string counts two.
import { z } from 'zod'

/** Reads at most as much of the text as decides it. Pure. */
export function isLongerThan(text: string, most: number): boolean {
  if (text.length <= most) return false
  if (text.length > 2 * most) return true
  let left = most
  for (const _ of text) if (--left < 0) return true
  return false
}

/** A text of at most `most` characters. As `z.string().max(most)`, which counts UTF-16 units. */
export function characters(most: number): z.ZodString {
  const limit = z.check<string>(({ value, issues }) => {
    if (isLongerThan(value, most))
      issues.push({
        code: 'too_big',
        origin: 'string',
        maximum: most,
        inclusive: true,
        input: value,
        message: `String should have at most ${most} characters`,
      })
  })
  // Zod and its JSON schemas read the limit here.
  limit._zod.onattach.push(({ _zod: { bag } }) => {
    bag['maximum'] = most
  })
  return z.string().check(limit)
}
