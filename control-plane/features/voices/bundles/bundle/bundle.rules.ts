// Names, licences and kinds of files in bundles. Pure.
import { composed } from '#shared/text/unicode/compose.ts'

export const PERSONA_EXTENSION = '.svcvoice'
export const LEGACY_EXTENSION = '.svcbundle'
/** The most bytes of an archive. */
export const ARCHIVE_BYTES = 100_000_000
export const DEFAULT_LICENCE = 'LicenseRef-Svc-Personal'
/** A shorter recording of a statement proves nothing. */
export const STATEMENT_BYTES = 1000

const LICENCES: ReadonlySet<string> = new Set([
  'CC0-1.0',
  'CC-BY-4.0',
  'CC-BY-SA-4.0',
  'CC-BY-NC-4.0',
  'CC-BY-NC-SA-4.0',
  'CC-BY-ND-4.0',
  'MIT',
  'Apache-2.0',
])
const OWN_LICENCE = /^LicenseRef-[A-Za-z0-9.-]{1,100}$/
/** `replaced`: a licence that is not on the list; null if the asked one counts, or none was asked for. */
export function licenceOf(asked: string): { readonly spdx: string; readonly replaced: string | null } {
  const spdx = asked.trim()
  if (LICENCES.has(spdx) || OWN_LICENCE.test(spdx)) return { spdx, replaced: null }
  return { spdx: DEFAULT_LICENCE, replaced: spdx === '' ? null : spdx }
}

const MAX_TAGS = 32
const TAG_CHARS = 64
/** Comma-separated tags: trimmed, without repetitions, at most 32 of 64 characters. */
export const tagsOf = (text: string): string[] =>
  [
    ...new Set(
      text
        .split(',')
        .map((tag) => tag.trim().slice(0, TAG_CHARS))
        .filter((tag) => tag !== ''),
    ),
  ].slice(0, MAX_TAGS)

/** The members that hold recordings, without their extension. */
export const RECORDINGS = ['ref_audio', 'locked_audio', 'consent_audio'] as const
export type RecordingName = (typeof RECORDINGS)[number]
const RECORDING = /^(ref_audio|locked_audio|consent_audio)\.(wav|mp3|flac|ogg|oga|opus|m4a|aac|mp4|webm|wma|aif|aiff)$/
/** Recording that has the normalised name of a member; null for another file. */
export const recordingOf = (name: string): RecordingName | null => (RECORDING.exec(name)?.[1] as RecordingName | undefined) ?? null

const SLUG_CHARS = 40
/** A part of a file name: a-z, 0-9 and hyphens. */
export function slugOf(name: string): string {
  const plain = composed(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_CHARS)
  return plain.replace(/^-|-$/g, '') || 'voice'
}

/** The extension of a recording by its first bytes, because its name may say anything. */
export function audioExtensionOf(head: Uint8Array): string {
  const word = (at: number) => String.fromCharCode(...head.subarray(at, at + 4))
  if (word(0) === 'fLaC') return 'flac'
  if (word(0) === 'OggS') return 'ogg'
  if (word(4) === 'ftyp') return 'm4a'
  if (head[0] === 0x1a && head[1] === 0x45) return 'webm'
  if (word(0).startsWith('ID3')) return 'mp3'
  // ADTS has layer 0 where MPEG audio has another one.
  if (head[0] === 0xff && (head[1]! & 0xe0) === 0xe0) return (head[1]! & 0x06) === 0 ? 'aac' : 'mp3'
  return 'wav'
}

/** An address that may be kept as the source of a voice; empty for any other. */
export function sourceUrl(text: string): string {
  const url = URL.parse(text)
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? text : ''
}
