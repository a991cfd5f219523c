// The requests of the studio that take the longest texts, each with its true limit, and the texts that make careless code slow.

import { MIB } from '#shared/runtime/memory/bytes.ts'
export type Body = { readonly type: string; readonly bytes: Uint8Array }
export type StudioEntrance = {
  readonly method: 'POST' | 'PUT'
  readonly path: string
  /** Longest whole text, in UTF-16 units. */
  readonly chars: number
  /** Largest body. */
  readonly bytes: number
  /** `text` has at most `chars`. */
  readonly body: (text: string) => Body
  /** Its work goes on long after the text was read: the request is given up. */
  readonly isLong?: true
  /** Repeated, a harmless text of the kind that the entrance expects. Default: prose. */
  readonly harmless?: string
}

const json = (value: unknown): Body => ({ type: 'application/json', bytes: Buffer.from(JSON.stringify(value)) })
const BOUNDARY = 'a-boundary-between-fields'
function form(
  fields: Readonly<Record<string, string>>,
  file?: { readonly field: string; readonly name: string; readonly text: string },
): Body {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = file && `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${file.field}"; filename="${file.name}"\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    bytes: Buffer.from(`${parts.join('')}${file ? `${head}${file.text}\r\n` : ''}--${BOUNDARY}--\r\n`),
  }
}
/** In pieces of `size`, at most `most`. */
function cut(text: string, size: number, most: number): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length && pieces.length < most; at += size) pieces.push(text.slice(at, at + size))
  return pieces
}
const wellFormed = (text: string): string => text.toWellFormed()
const lines = (text: string, size: number) =>
  cut(text, size, 5_000).map((line, id) => ({ id: String(id), start: id, end: id + 1, text: wellFormed(line) }))

/** Subtitles: an index, times, a sentence. */
const CUES = '7\n00:00:01,000 --> 00:00:04,000\nThe tide comes in slowly, and no one on the pier looks up.\n\n'
const MANUSCRIPT = { chars: 8 * MIB, bytes: 32 * MIB }
const post = 'POST' as const
export const STUDIO_ENTRANCES: readonly StudioEntrance[] = [
  {
    method: post,
    path: '/v1/audio/speech',
    chars: 4_096,
    bytes: MIB,
    body: (input) => json({ input, model: 'tone', response_format: 'pcm' }),
    isLong: true,
  },
  { method: post, path: '/generate', chars: 200_000, bytes: MIB, body: (text) => form({ text, engine: 'tone' }), isLong: true },
  { method: post, path: '/pronunciation/test', chars: 200_000, bytes: MIB, body: (text) => json({ text }) },
  {
    method: post,
    path: '/pronunciation/import',
    chars: 8 * MIB,
    bytes: 16 * MIB,
    body: (text) =>
      json({ entries: cut(text, 900, 10_000).map((replacement, at) => ({ term: `term ${at}`, replacement, language: '*' })) }),
  },
  { method: post, path: '/audiobook/plan', ...MANUSCRIPT, body: (text) => json({ text }) },
  {
    method: post,
    path: '/audiobook/preview',
    ...MANUSCRIPT,
    body: (text) => json({ text, engine: 'tone', chapter_index: 0 }),
    isLong: true,
  },
  { method: post, path: '/audiobook', ...MANUSCRIPT, body: (text) => json({ text, engine: 'tone', format: 'mp3' }), isLong: true },
  {
    method: post,
    path: '/longform/render',
    ...MANUSCRIPT,
    body: (text) =>
      json({
        chapters: cut(text, 4_000, 100_000).map((part) => ({ title: 'One', spans: [{ text: part }] })),
        engine: 'tone',
        format: 'mp3',
      }),
    isLong: true,
  },
  {
    method: post,
    path: '/audiobook/import',
    chars: 8 * MIB,
    bytes: 64 * MIB,
    body: (text) => form({}, { field: 'file', name: 'book.txt', text }),
  },
  { method: post, path: '/dub/parse-subtitle-text', chars: 2_000_000, bytes: 14_000_000, body: (text) => json({ text }), harmless: CUES },
  {
    method: post,
    path: '/dub/import-srt/none',
    chars: 2_000_000,
    bytes: 8_000_000,
    harmless: CUES,
    body: (text) => form({}, { field: 'file', name: 'film.srt', text }),
  },
  { method: 'PUT', path: '/dub/segments/none', chars: 8 * MIB, bytes: 16 * MIB, body: (text) => json({ segments: lines(text, 10_000) }) },
  {
    method: post,
    path: '/dub/translate',
    chars: 1_000_000,
    bytes: 16 * MIB,
    body: (text) => json({ segments: lines(text, 200), target_lang: 'es', provider: 'argos' }),
    isLong: true,
  },
  {
    method: post,
    path: '/glossary/none/auto-extract',
    chars: 8 * MIB,
    bytes: 16 * MIB,
    body: (text) => json({ target_lang: 'es', segments: cut(text, 1_000_000, 5_000).map((part) => ({ text: wellFormed(part) })) }),
  },
  {
    method: post,
    path: '/tools/incremental',
    chars: 8 * MIB,
    bytes: 16 * MIB,
    body: (text) => json({ segments: cut(text, 20_000, 20_000).map((part, id) => ({ id, text: part, instruct: part.slice(0, 100) })) }),
  },
  {
    method: post,
    path: '/projects',
    chars: 8 * MIB,
    bytes: 16 * MIB,
    body: (text) => json({ name: 'A project', state: { notes: cut(text, 10_000, 5_000) } }),
  },
  {
    method: post,
    path: '/dub/ingest-url',
    chars: 2_000_000,
    bytes: 2 * MIB,
    body: (text) => json({ url: 'file:///none', cookie_file: text }),
  },
  { method: post, path: '/tools/direction', chars: 2_000, bytes: MIB, body: (text) => json({ text }) },
]

/** Repeated up to the length of a text. */
export const HOSTILE_UNITS: Readonly<Record<string, string>> = {
  'line ends': '\n',
  'carriage returns': '\r',
  titles: '# t\n',
  'blank lines': ' \t\n',
  'combining marks': '\u0323\u0307\u0315\u0300',
  'lone surrogates': '\ud800',
  'sentence ends': 'a? ',
  abbreviations: 'Mr. ',
  pauses: '[pause] ',
  'open brackets': '[[a',
  styles: '[slow]a[/slow]',
  backslashes: '\\',
  quotes: '"a," ',
  ideographs: '字。',
  emoji: '👩🏽‍🚀',
  digits: '1,000.5 ',
  blanks: ' ',
  'cue times': '1\n00:00:01,000 --> 00:00:02,000\nx\n\n',
  markup: '<i>&amp;',
  'right to left': 'אב ',
}
export const HARMLESS_UNIT = 'The tide comes in slowly, and no one on the pier looks up.\n'

/** The longest text of repeated units that the entrance takes: its limit of characters, or what its body has room for. */
export function longestText({ chars, bytes }: Pick<StudioEntrance, 'chars' | 'bytes'>, unit: string): string {
  const encoded = Buffer.byteLength(JSON.stringify(unit)) - 2
  const most = Math.min(chars - 2, Math.floor(((bytes - 64 * 1024) * 0.9) / encoded) * unit.length)
  return `x${unit.repeat(Math.ceil(most / unit.length)).slice(0, most)}x`
}
