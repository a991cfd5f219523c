// Cleans a text as the robust normaliser of MOSS-TTS-Nano does: structure becomes punctuation, every line ends with a mark, and names such as
// URLs, files and versions stay as they are. Numbers are not spelled out. Pure, and linear in the length of the text.

/** Han and kana, which are written without blanks. */
const CJK = /[\u3400-\u4dbf\u4e00-\u9fff\u3040-\u30ff]/
const LETTER = /[A-Za-z]/
const WORD = /[A-Za-z0-9_\u{f0000}-\u{10fffd}]/u
const CLOSERS = new Set('"\')]}）】》〉」』”’')
const END_MARK = '。'

export function cleanMossText(text: string): string {
  const spans: string[] = []
  const cleaned = protect(joinLines(text), spans).replaceAll('_', ' ')
  const spaced = fixBlanks(joinRepeats(markStructure(fixBlanks(cleaned))))
  const restored = restore(spaced, spans).trim()
  return restored === '' ? '' : withEndMark(restored)
}

/** One line without control characters and Markdown; each line that has a successor ends with a mark. */
function joinLines(text: string): string {
  const lines = text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\u3000/g, ' ')
    .replace(/[^\P{C}\n\t]/gu, '')
    .replace(/\[([^[\]]{1,256})\]\((https?:\/\/[^()\s]{1,512})\)/g, '$1 $2')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => [/^#{1,6}\s+/, /^>\s+/, /^[-*+]\s+/, /^\d+[.)]\s+/].reduce((rest, prefix) => rest.replace(prefix, ''), line))
  return withArrows(lines.map((line, at) => (at < lines.length - 1 ? withEndMark(line) : line)).join(''))
}

/** Adds an end mark unless the last character before closing brackets and quotes is punctuation. */
function withEndMark(text: string): string {
  let at = text.length - 1
  while (at >= 0 && (CLOSERS.has(text[at]!) || /\s/.test(text[at]!))) at--
  return at >= 0 && /\p{P}/u.test(text[at]!) ? text : text + END_MARK
}

/** Replaces what `pattern` matches and `isMeant` accepts, with the blanks around it. */
function replaceWithBlanks(text: string, pattern: RegExp, mark: string, isMeant: (match: string) => boolean = () => true): string {
  const pieces: string[] = []
  let from = 0
  for (const { 0: match, index } of text.matchAll(pattern)) {
    if (!isMeant(match)) continue
    pieces.push(text.slice(from, index))
    from = index + match.length
  }
  if (pieces.length === 0) return text
  pieces.push(text.slice(from))
  return pieces.map((piece, at) => (at === 0 ? piece.trimEnd() : at === pieces.length - 1 ? piece.trimStart() : piece.trim())).join(mark)
}

const withArrows = (text: string): string =>
  replaceWithBlanks(text, /<?[-=]+>?|[→←↔⇒⇐⇔⟶⟵⟷⟹⟸⟺↦↤↪↩]/g, '，', (match) => !/^[-=]/.test(match) || match.endsWith('>'))

// Protected names are single characters of the private planes, which cannot occur otherwise: they were removed with the control characters.
const FIRST_SPAN = 0xf0000
/** Names beyond this number are not protected. */
const MAX_SPANS = 0x10fffd - FIRST_SPAN + 1

type Finding = {
  readonly pattern: RegExp
  /** The start of the name within the match; null if there is none. `before`: the character before the match, '' at the start. */
  readonly start: (match: string, before: string) => number | null
}
const notAfterWord = (match: string, before: string): number | null => (WORD.test(before) || match === '' ? null : 0)
const FINDINGS: readonly Finding[] = [
  { pattern: /https?:\/\/[^\s，。！？；、）】》〉」』]+/g, start: () => 0 },
  { pattern: /(?<![\p{L}\p{N}_.+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/gu, start: () => 0 },
  { pattern: /@[A-Za-z0-9_]{1,32}/g, start: notAfterWord },
  { pattern: /[ur]\/[A-Za-z0-9_]+/g, start: notAfterWord },
  { pattern: /#[^\s#]+/g, start: notAfterWord },
  { pattern: /\.[A-Za-z0-9._-]+/g, start: (match, before) => (/[A-Za-z0-9]/.test(match) ? notAfterWord(match, before) : null) },
  { pattern: /[A-Za-z0-9._/+:\u{f0000}-\u{10fffd}-]+/gu, start: startOfName },
]

/** A file, path, version or hyphenated word has a letter and one of `./+:-`. */
function startOfName(run: string, before: string): number | null {
  for (let at = 0; at < run.length; at++) {
    if (!/[A-Za-z0-9]/.test(run[at]!) || WORD.test(at === 0 ? before : run[at - 1]!)) continue
    const name = run.slice(at)
    return LETTER.test(name) && /[./+:-]/.test(name) ? at : null
  }
  return null
}

function protect(text: string, spans: string[]): string {
  return FINDINGS.reduce(
    (whole, { pattern, start }) =>
      whole.replace(pattern, (match, ...groups) => {
        const at: number = groups.find((each) => typeof each === 'number')!
        const from = start(match, characterBefore(whole, at))
        if (from === null || spans.length === MAX_SPANS) return match
        spans.push(match.slice(from))
        return match.slice(0, from) + String.fromCodePoint(FIRST_SPAN + spans.length - 1)
      }),
    text,
  )
}
const characterBefore = (text: string, at: number): string => /.$/u.exec(text.slice(Math.max(0, at - 2), at))?.[0] ?? ''

/** A span may contain the marks of earlier ones. */
const restore = (text: string, spans: readonly string[]): string =>
  text.replace(/[\u{f0000}-\u{10fffd}]/gu, (mark) => restore(spans[mark.codePointAt(0)! - FIRST_SPAN] ?? '', spans))

/** One blank between words of Latin letters, and between them and Han or kana; none within Han and kana and around their punctuation. */
function fixBlanks(text: string): string {
  const single = text.replace(/\s+/g, (blanks, at: number) => {
    const [before, after] = [text[at - 1] ?? '', text[at + blanks.length] ?? '']
    const isWithin =
      (CJK.test(before) && /[\u3400-\u4dbf\u4e00-\u9fff\u3040-\u30ff0-9]/.test(after)) || (/[0-9]/.test(before) && CJK.test(after))
    return isWithin || /[，。！？；：、”’」』】）》,.;!?]/.test(after) || /[，。！？；：、（【「『《“‘]/.test(before) ? '' : ' '
  })
  return single
    .replace(/[A-Za-z0-9._/+:-]+|[\u{f0000}-\u{10fffd}]/gu, (run, at: number) => {
      const isName = LETTER.test(run) || !/[\w._/+:-]/.test(run)
      if (!isName) return run
      const startsHere = /^[^._/+:-]/.test(run)
      return `${startsHere && CJK.test(single[at - 1] ?? '') ? ' ' : ''}${run}${CJK.test(single[at + run.length] ?? '') ? ' ' : ''}`
    })
    .trim()
}

const TITLE_BEFORE = /[。！？!?；;]/
const TITLE_AFTER = /[。！？!?；;，,\u{f0000}-\u{10fffd}]/u

/** Brackets become quotes, a title that stands alone loses its marks, long dashes end the sentence. */
function markStructure(text: string): string {
  const quoted = text
    .replace(/\[([^[\]]+)\]/g, (_, inner: string) => `"${inner.trim()}"`)
    .replace(/\{([^{}]+)\}/g, (_, inner: string) => `"${inner.trim()}"`)
    .replace(/[【】〖〗『』「」]/g, '"')
  const titled = quoted.replace(/《([^《》]+)》/g, (whole: string, inner: string, at: number) => {
    const before = quoted
      .slice(Math.max(0, at - 2), at)
      .trimEnd()
      .slice(-1)
    const after = quoted.slice(at + whole.length, at + whole.length + 3).trimStart()
    const endsThere = after === '' || /^[—–―-]{2}/.test(after) || TITLE_AFTER.test(String.fromCodePoint(after.codePointAt(0)!))
    return (at === 0 || TITLE_BEFORE.test(before)) && endsThere ? inner : whole
  })
  return replaceWithBlanks(withArrows(titled), /[—–―-]{2,}/g, END_MARK)
}

const joinRepeats = (text: string): string =>
  text
    .replace(/\.{3,}|…{2,}/g, END_MARK)
    .replace(/[。．]{2,}/g, END_MARK)
    .replace(/[，,]{2,}/g, '，')
    .replace(/[!?！？]{2,}/g, (run) => `${/[?？]/.test(run) ? '？' : ''}${/[!！]/.test(run) ? '！' : ''}`)
