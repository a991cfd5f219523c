// A manuscript as chapters that are edited one by one. Together they are the text again, to the letter. Pure.

/** text: with the line of its title */
export type Chapter = { readonly title: string; readonly text: string }
export type Plan = {
  readonly chapters: readonly {
    readonly place: number
    readonly words: number
    readonly minutes: number
    readonly spans: readonly { readonly voice_id: string | null; readonly text: string }[]
  }[]
  readonly left_out: readonly LeftOut[]
}
/** A part of a book that is not spoken. */
export type LeftOut = { readonly title: string; readonly why: string }
/** voice: as the manuscript names it, '' is the narrator */
export type Role = { readonly voice: string; readonly parts: number }

/** Pace of usual speech. */
const CHARS_PER_SECOND = 15.5
const TITLE_CHARS = 200
const STYLES = {
  slow: ['[slow]', '[/slow]'],
  fast: ['[fast]', '[/fast]'],
  say: ['[[', '|]]'],
  take: ['[take 2]', '[/take]'],
  pause: ['', ' [pause 0.5 s]'],
} as const
export type Style = keyof typeof STYLES

/** In front of the title of a chapter that is switched off. */
const SKIP = /^\[skip\](?:[ \t]+|$)/i
const ESCAPED_SKIP = /^\\{1,200}\[skip\]/i

/** The rest of the line of a title after its mark; null without a title. */
function titleLine(text: string) {
  const end = text.indexOf('\n')
  return text.startsWith('# ') ? text.slice(2, end < 0 ? undefined : end).trim() : null
}

function titleOf(text: string) {
  const name = (titleLine(text) ?? '').replace(SKIP, '')
  return (ESCAPED_SKIP.test(name) ? name.slice(1) : name).slice(0, TITLE_CHARS)
}

/** True for a chapter that is spoken. */
export const isIncluded = ({ text }: Chapter) => !SKIP.test(titleLine(text.trimStart()) ?? '')

/** The chapters with one of them switched on or off, which its title says. */
export function withIncluded(chapters: readonly Chapter[], index: number, included: boolean): Chapter[] {
  return chapters.map((chapter, at) => {
    if (at !== index || isIncluded(chapter) === included) return chapter
    const text = chapter.text.trimStart()
    const title = titleLine(text)
    const rest = title === null ? `\n${text}` : text.slice(text.includes('\n') ? text.indexOf('\n') : text.length)
    if (!included) return { ...chapter, text: `# [skip]${title ? ` ${title}` : ''}${rest}` }
    const written = (title ?? '').replace(SKIP, '')
    const name = SKIP.test(written) ? `\\${written}` : written
    // The text before the first title has none.
    return { ...chapter, text: name === '' && at === 0 ? rest.slice(1) : `# ${name}${rest}` }
  })
}

export function chaptersOf(text: string): Chapter[] {
  const starts = [...text.matchAll(/^# /gm)].map(({ index }) => index)
  // What precedes the first title is a chapter unless it is empty.
  const hasOpening = starts.length === 0 || text.slice(0, starts[0]).trim() !== ''
  const from = hasOpening ? [0, ...starts.filter((at) => at > 0)] : [0, ...starts.slice(1)]
  return from.map((at, index) => {
    const piece = text.slice(at, from[index + 1])
    return { title: titleOf(piece.trimStart()), text: piece }
  })
}

/** The chapters as one text. Without an end of line the next title would not begin one. */
export const textOf = (chapters: readonly Chapter[]) =>
  chapters.map(({ text }, at) => (at < chapters.length - 1 && text !== '' && !text.endsWith('\n') ? `${text}\n` : text)).join('')

/** The chapters after titles that were written into one begin chapters. */
export const cutChapter = (chapters: readonly Chapter[], index: number) => [
  ...chapters.slice(0, index),
  ...chaptersOf(chapters[index]?.text ?? ''),
  ...chapters.slice(index + 1),
]

/**
 * The chapters after one was edited, and where the cursor is then. Its text stays as it was typed; a title begins a chapter when its
 * line is finished.
 */
export function withChapter(chapters: readonly Chapter[], index: number, text: string, cursor: number) {
  const before = chapters[index]?.text ?? ''
  const edited = chapters.map((one, at) => (at === index ? { title: titleOf(text.trimStart()), text } : one))
  if (text.split('\n').length <= before.split('\n').length) return { chapters: edited, index, cursor }
  const cut = cutChapter(edited, index)
  const last = index + cut.length - chapters.length
  let [at, rest] = [index, cursor]
  for (; at < last && rest >= (cut[at]?.text.length ?? 0); at++) rest -= cut[at]?.text.length ?? 0
  return { chapters: cut, index: at, cursor: rest }
}

/** Seconds that so many characters last. */
export const secondsOf = (chars: number) => chars / CHARS_PER_SECOND

/** The voices of a plan, the narrator first. */
export function rolesOf({ chapters }: { readonly chapters: readonly Pick<Plan['chapters'][number], 'spans'>[] }): Role[] {
  const parts = new Map([['', 0]])
  for (const { spans } of chapters)
    for (const { voice_id: voice, text } of spans) if (text.trim() !== '') parts.set(voice ?? '', (parts.get(voice ?? '') ?? 0) + 1)
  return [...parts].map(([voice, count]) => ({ voice, parts: count }))
}

/** A mark around the selection, or at the cursor. */
export function marked(text: string, start: number, end: number, style: Style) {
  const [before, after] = STYLES[style]
  const next = text.slice(0, start) + before + text.slice(start, end) + after + text.slice(end)
  // The cursor is where one goes on writing: in a pronunciation before its end.
  const cursor = end + before.length + (style === 'say' ? 1 : after.length)
  return { text: next, cursor }
}

/** Name of a saved voice in a mark: a bracket in its name would end the mark. */
export const markOf = ({ name, voice_id: id }: { readonly name: string; readonly voice_id: string }) => (/[[\]]/.test(name) ? id : name)

/** A switch of the voice before the cursor. */
export function voiced(text: string, at: number, voice: string) {
  const mark = `[voice:${voice}] `
  return { text: text.slice(0, at) + mark + text.slice(at), cursor: at + mark.length }
}
