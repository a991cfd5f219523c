// @ts-check
// A manuscript as chapters that are edited one by one. Together they are the text again, to the letter. Pure.

/** @typedef {{ readonly title: string, readonly text: string }} Chapter text: with the line of its title */
/** @typedef {{ readonly chapters: readonly { readonly char_count: number, readonly spans: readonly { readonly voice_id: string | null, readonly text: string }[] }[] }} Plan */
/** @typedef {{ readonly voice: string, readonly parts: number }} Role voice: as the manuscript names it, '' is the narrator */

/** Of speech at a usual pace. */
const CHARS_PER_SECOND = 15.5
const TITLE_CHARS = 200
const STYLES = /** @type {const} */ ({
  slow: ['[slow]', '[/slow]'],
  fast: ['[fast]', '[/fast]'],
  say: ['[[', '|]]'],
  pause: ['', ' [pause 500ms]'],
})
/** @typedef {keyof typeof STYLES} Style */

/** @param {string} text */
function titleOf(text) {
  const end = text.indexOf('\n')
  return text.startsWith('# ')
    ? text
        .slice(2, end < 0 ? undefined : end)
        .trim()
        .slice(0, TITLE_CHARS)
    : ''
}

/** @param {string} text @returns {Chapter[]} */
export function chaptersOf(text) {
  const starts = [...text.matchAll(/^# /gm)].map(({ index }) => index)
  // What precedes the first title is a chapter unless it is empty.
  const hasOpening = starts.length === 0 || text.slice(0, starts[0]).trim() !== ''
  const from = hasOpening ? [0, ...starts.filter((at) => at > 0)] : [0, ...starts.slice(1)]
  return from.map((at, index) => {
    const piece = text.slice(at, from[index + 1])
    return { title: titleOf(piece.trimStart()), text: piece }
  })
}

/** Without an end of line the next title would not begin one. @param {readonly Chapter[]} chapters */
export const textOf = (chapters) =>
  chapters.map(({ text }, at) => (at < chapters.length - 1 && text !== '' && !text.endsWith('\n') ? `${text}\n` : text)).join('')

/** The chapters after titles that were written into one begin chapters. @param {readonly Chapter[]} chapters @param {number} index */
export const cutChapter = (chapters, index) => [
  ...chapters.slice(0, index),
  ...chaptersOf(chapters[index]?.text ?? ''),
  ...chapters.slice(index + 1),
]

/**
 * The chapters after one was edited, and where the cursor is then. Its text stays as it was typed; a title begins a chapter when its line is finished.
 * @param {readonly Chapter[]} chapters @param {number} index @param {string} text @param {number} cursor
 */
export function withChapter(chapters, index, text, cursor) {
  const before = chapters[index]?.text ?? ''
  const edited = chapters.map((one, at) => (at === index ? { title: titleOf(text.trimStart()), text } : one))
  if (text.split('\n').length <= before.split('\n').length) return { chapters: edited, index, cursor }
  const cut = cutChapter(edited, index)
  const last = index + cut.length - chapters.length
  let [at, rest] = [index, cursor]
  for (; at < last && rest >= (cut[at]?.text.length ?? 0); at++) rest -= cut[at]?.text.length ?? 0
  return { chapters: cut, index: at, cursor: rest }
}

/** Seconds that so many characters last. @param {number} chars */
export const secondsOf = (chars) => chars / CHARS_PER_SECOND

/** The voices of a plan, the narrator first. @param {Plan} plan @returns {Role[]} */
export function rolesOf({ chapters }) {
  const parts = new Map([['', 0]])
  for (const { spans } of chapters)
    for (const { voice_id: voice, text } of spans) if (text.trim() !== '') parts.set(voice ?? '', (parts.get(voice ?? '') ?? 0) + 1)
  return [...parts].map(([voice, count]) => ({ voice, parts: count }))
}

/** A mark around the selection, or at the cursor. @param {string} text @param {number} start @param {number} end @param {Style} style */
export function marked(text, start, end, style) {
  const [before, after] = STYLES[style]
  const next = text.slice(0, start) + before + text.slice(start, end) + after + text.slice(end)
  // The cursor is where one goes on writing: in a pronunciation before its end.
  const cursor = end + before.length + (style === 'say' ? 1 : after.length)
  return { text: next, cursor }
}

/** What a mark calls a saved voice: a bracket in its name would end the mark. @param {{ readonly name: string, readonly voice_id: string }} voice */
export const markOf = ({ name, voice_id: id }) => (/[[\]]/.test(name) ? id : name)

/** A switch of the voice before the cursor. @param {string} text @param {number} at @param {string} voice */
export function voiced(text, at, voice) {
  const mark = `[voice:${voice}] `
  return { text: text.slice(0, at) + mark + text.slice(at), cursor: at + mark.length }
}
