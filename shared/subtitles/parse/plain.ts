// The words of a cue without markup. Pure; linear in the length of the text.

/** A longer tag is text. */
const MAX_TAG = 200
/** `<b>`, `</font>`, `<c.loud>`, `<br/>`: a name, perhaps with classes. */
const BARE_TAG = /^\/?[a-z][\w-]*(?:\.[\w.-]*)?\s?\/?$/i
/** Only these have more than a name; `a<b and c>d` is no tag. */
const TAG_WITH_VALUES = /^(?:font|span|lang|ruby|div|br|p|a|c|v)(?:\.[\w.-]*)?\s/i
const TIME_TAG = /^[\d:.]{5,20}$/
const VOICE = /^v(?:\.[\w.-]*)?\s(.*)$/is
const LINE_BREAK = /^br\s?\/?$/i
const DRIVE = /^["'([]?[a-z]:\\/i
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lrm: '\u200e',
  rlm: '\u200f',
}

export type CueText = { readonly text: string /** Name in the first `<v Name>`. */; readonly speaker: string | null }

/** Without tags, `{\…}` blocks and breaks of ASS, and blank lines; entities are decoded once. '' for a text of markup alone. */
export function cueText(raw: string): CueText {
  const parts: string[] = []
  let speaker: string | null = null
  let from = 0
  for (let at = 0; at < raw.length; ) {
    const end = raw[at] === '<' ? tagEnd(raw, at) : raw[at] === '{' && raw[at + 1] === '\\' ? blockEnd(raw, at) : at
    if (end === at) {
      at++
      continue
    }
    const tag = raw.slice(at + 1, end - 1)
    parts.push(raw.slice(from, at))
    if (raw[at] === '<' && LINE_BREAK.test(tag)) parts.push('\n')
    speaker ??= VOICE.exec(tag)?.[1]?.trim() || null
    at = from = end
  }
  parts.push(raw.slice(from))
  const text = tidy(decodeEntities(withoutBreaks(parts.join(''))))
  return { text, speaker: speaker === null ? null : tidy(decodeEntities(speaker)).replaceAll('\n', ' ') || null }
}

/** `at` when no tag starts there. */
function tagEnd(raw: string, at: number): number {
  const most = Math.min(raw.length, at + MAX_TAG)
  let end = at + 1
  while (end < most && raw[end] !== '>' && raw[end] !== '<') end++
  if (raw[end] !== '>' || end >= most) return at
  const tag = raw.slice(at + 1, end)
  return BARE_TAG.test(tag) || TAG_WITH_VALUES.test(tag) || TIME_TAG.test(tag) ? end + 1 : at
}

function blockEnd(raw: string, at: number): number {
  const most = Math.min(raw.length, at + MAX_TAG)
  let end = at + 1
  while (end < most && raw[end] !== '}' && raw[end] !== '{' && raw[end] !== '\n') end++
  return raw[end] === '}' && end < most ? end + 1 : at
}

/** `\N` and `\n` of ASS are line breaks, `\h` is a blank. A path of Windows has the same letters behind its drive. */
const withoutBreaks = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\S+/g, (word) => (DRIVE.test(word) ? word : word.replace(/\\[Nn]/g, '\n').replaceAll('\\h', ' ')))
    : text

const decodeEntities = (text: string): string =>
  text.replace(ENTITY, (entity, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(NAMED, name.toLowerCase()) ? NAMED[name.toLowerCase()]! : entity
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    const isLetter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    return isLetter ? String.fromCodePoint(code) : entity
  })

/** Trimmed lines without control characters; none is empty. */
const tidy = (text: string): string =>
  text
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
