// The text of a cue without its markup. Pure, and linear in the length of the text.

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', lrm: '', rlm: '' }
const MOST_POINT = 0x10_ffff
const MOST_NAME = 64

export type UnmarkedCue = {
  readonly text: string
  /** The name in `<v Name>`; '' without one. */
  readonly speaker: string
}

/** Removes tags, and codes such as `{\an8}`; decodes entities once; removes empty lines and the blanks around each line. */
export function unmarkedCue(marked: string): UnmarkedCue {
  const { text, speaker } = withoutTags(withoutCodes(marked))
  const lines = decodedEntities(text).split('\n')
  const kept = lines.map((line) => line.trim()).filter((line) => line !== '')
  return { text: kept.join('\n'), speaker: decodedEntities(speaker).trim() }
}

function withoutCodes(text: string): string {
  let out = ''
  let at = 0
  for (let open = text.indexOf('{\\'); open >= 0; open = text.indexOf('{\\', at)) {
    const close = text.indexOf('}', open)
    if (close < 0) break
    out += text.slice(at, open)
    at = close + 1
  }
  return out + text.slice(at)
}

/** A tag that is never closed is text. */
function withoutTags(text: string): { readonly text: string; readonly speaker: string } {
  let out = ''
  let speaker = ''
  let at = 0
  for (let open = text.indexOf('<'); open >= 0; open = text.indexOf('<', open + 1)) {
    if (!/[a-z/\d]/i.test(text[open + 1] ?? '')) continue
    let close = open + 1
    while (close < text.length && text[close] !== '>' && text[close] !== '<') close++
    if (text[close] !== '>') {
      open = close - 1
      continue
    }
    const tag = text.slice(open + 1, close)
    // A figure after the sign: only the times of words are tags.
    if (/^\d/.test(tag) && !/^[\d:.,]+$/.test(tag)) continue
    if (speaker === '' && tag.length <= MOST_NAME) speaker = /^v(?:\.\S*)?\s(.*)$/is.exec(tag)?.[1] ?? ''
    out += text.slice(at, open)
    at = close + 1
    open = close
  }
  return { text: out + text.slice(at), speaker }
}

const decodedEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp|lrm|rlm));/gi, (_, decimal, hex, name) =>
    name ? ENTITIES[(name as string).toLowerCase()]! : characterOf(decimal ? Number(decimal) : Number.parseInt(hex as string, 16)),
  )

const characterOf = (point: number): string =>
  point === 0 || point > MOST_POINT || (point >= 0xd800 && point <= 0xdfff) ? '' : String.fromCodePoint(point)
