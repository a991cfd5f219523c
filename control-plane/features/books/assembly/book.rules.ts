// Figures and tags of a book. Pure.
import type { BookMetadata } from '#control-plane/media/book/book.ts'
import type { BookManifest } from '../render/manifest.ts'

type Loud = { readonly seconds: number /** LUFS; null for silence. */; readonly integrated: number | null }

/** LUFS of chapters together, with one decimal; null for silence. */
export function bookLoudness(chapters: readonly Loud[]): number | null {
  let power = 0
  let seconds = 0
  for (const { seconds: length, integrated } of chapters) {
    if (integrated === null) continue
    power += length * 10 ** (integrated / 10)
    seconds += length
  }
  return seconds === 0 ? null : Math.round(100 * Math.log10(power / seconds)) / 10
}

const LANGUAGES: Readonly<Record<string, string>> = {
  en: 'eng',
  de: 'deu',
  fr: 'fra',
  es: 'spa',
  it: 'ita',
  pt: 'por',
  nl: 'nld',
  pl: 'pol',
  ru: 'rus',
  zh: 'zho',
  ja: 'jpn',
  ko: 'kor',
}

export function tagsForBook({ title, language, output: { metadata } }: BookManifest): BookMetadata {
  const field = (...names: readonly string[]): string | null => names.map((name) => metadata[name]).find(Boolean) ?? null
  const named = (field('language') ?? language ?? '').toLowerCase()
  return {
    title,
    author: field('author', 'artist'),
    narrator: field('narrator'),
    year: field('year', 'date'),
    description: field('description', 'comment'),
    series: field('series'),
    language: /^[a-z]{3}$/.test(named) ? named : (LANGUAGES[named.slice(0, 2)] ?? null),
    comment: 'Synthetic speech, made with Voice Studio.',
  }
}

const MAX_TITLES = 10
/** Notice about titles without words; null without any. */
export function emptyTitlesNotice(titles: readonly string[]): string | null {
  if (titles.length === 0) return null
  const more = titles.length > MAX_TITLES ? ` and ${titles.length - MAX_TITLES} more` : ''
  return `Headings without text are no chapters: ${titles.slice(0, MAX_TITLES).join(', ')}${more}.`
}

/** Bytes that a book needs on the disk: segments that are missing, its chapters, and its file. */
export function bytesNeeded({
  missingSeconds,
  totalSeconds,
  sampleRate,
  kbps,
}: {
  readonly missingSeconds: number
  readonly totalSeconds: number
  readonly sampleRate: number
  readonly kbps: number
}): number {
  return Math.ceil(2 * sampleRate * missingSeconds + (2 * totalSeconds * kbps * 1000) / 8)
}
