// Text of a recogniser as a sentence. Pure.
import { endsUnspaced } from './join-pieces.ts'

/** Adds a capital at the start and the full stop of its writing at the end if the recogniser returned none. */
export function polished(text: string): string {
  const trimmed = text.trim().replaceAll(/\s+/g, ' ')
  if (trimmed === '') return ''
  const [first = ''] = trimmed
  const mark = /[.!?…。！？]["'”’)\]]*$/.test(trimmed) ? '' : endsUnspaced(trimmed) ? '。' : '.'
  return `${first.toUpperCase()}${trimmed.slice(first.length)}${mark}`
}
