// The subtitles that a page offers, WebVTT or SubRip, as one text for each moment. Pure.
import type { DubOptions } from '../store/dub.ts'

export type Captions = NonNullable<DubOptions['youtube_subs']>[string]
const CUES = 20_000
const CUE_CHARS = 2_000
const TIME = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})$/
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', quot: '"', '#39': "'", lrm: '', rlm: '' }

/** Ascending and without overlaps; lines that a running caption repeats appear once. What is no cue is left out. */
export function captionsOf(file: string): Captions {
  const found: Captions = []
  let shown: readonly string[] = []
  for (const block of file
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)) {
    const lines = block.split('\n')
    const at = lines.findIndex((line) => line.includes('-->'))
    if (at < 0 || at > 2) continue
    const [from, to = ''] = lines[at]!.split('-->')
    const [start, end] = [timeUs(from!.trim()), timeUs(to.trim().split(/\s/, 1)[0]!)]
    if (start === null || end === null || end <= start) continue
    const texts = lines
      .slice(at + 1)
      .map(plainText)
      .filter((text) => text !== '')
    // A running caption shows its last line again above the next one.
    const fresh = texts.filter((text) => !shown.includes(text))
    if (texts.length > 0) shown = texts
    const text = fresh.join(' ').slice(0, CUE_CHARS)
    if (text === '') continue
    const begin = Math.max(start, found.at(-1)?.end_us ?? 0)
    if (end > begin) found.push({ start_us: begin, end_us: end, text })
    if (found.length >= CUES) break
  }
  return found
}

function timeUs(text: string): number | null {
  const [, hours = '0', minutes, seconds, fraction] = TIME.exec(text) ?? []
  if (fraction === undefined) return null
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1e6 + Number(fraction.padEnd(3, '0')) * 1e3
}

const plainText = (line: string): string =>
  line
    .replaceAll(/<[^<>]{0,200}>/g, '')
    .replaceAll(/&(#39|[a-z]{2,4});/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll(/\s{1,200}/g, ' ')
    .trim()
