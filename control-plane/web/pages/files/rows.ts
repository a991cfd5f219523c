// Finished work as one list: takes, finished books, dubs with a voice track and transcripts.

import type { Gets } from '#control-plane/web/lib/api-types.ts'
import { spokenBy } from '#control-plane/web/lib/names.ts'
import type { IconName } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/library/files.ts'

export type Kind = keyof typeof strings.kinds
export type MadeFile = {
  id: string
  kind: Kind
  name: string
  about: string
  /** seconds */
  length: number
  /** epoch seconds */
  at: number
  /** bytes; null if the file was removed, undefined for one that is written when it is downloaded */
  size: number | null | undefined
  /** address of the file */
  url: string
  /** address from which it can be played here */
  sound: string | null
  /** the page of the object */
  href: string | null
}

export const LOOKS: Readonly<Record<Kind, { icon: IconName; tint: number }>> = {
  take: { icon: 'speak', tint: 1 },
  book: { icon: 'book', tint: 7 },
  dub: { icon: 'film', tint: 3 },
  transcript: { icon: 'captions', tint: 4 },
}
const NAME_CHARS = 120

/** True if the JSON text of a dub names a track. */
function hasTracks(text: string) {
  try {
    return Object.keys(JSON.parse(text) ?? {}).length > 0
  } catch {
    return false
  }
}

/** The newest first. */
export function filesOf(
  {
    takes,
    books,
    dubs,
    projects,
  }: { takes: Gets['/history']; books: Gets['/longform/jobs']['jobs']; dubs: Gets['/dub/summaries']; projects: Gets['/projects'] },
  hasPage: (page: string) => boolean,
): MadeFile[] {
  const all: MadeFile[] = [
    ...takes.map((take) => ({
      id: take.id,
      kind: 'take' as const,
      name: take.text.slice(0, NAME_CHARS),
      about: spokenBy(take),
      length: take.duration_seconds,
      at: take.created_at,
      size: take.size_bytes,
      url: `/audio/${take.audio_path}`,
      sound: `/audio/${take.audio_path}`,
      href: hasPage('speak') ? `#/speak?take=${encodeURIComponent(take.id)}` : null,
    })),
    ...books.map((book) => ({
      id: book.job_id,
      kind: 'book' as const,
      name: book.title,
      about: strings.chapters(book.chapters),
      length: book.duration_s,
      at: book.created_at,
      size: book.size_bytes,
      url: `/audio/${book.output}`,
      sound: book.size_bytes === null ? null : `/audio/${book.output}`,
      href: hasPage('audiobook') ? `#/audiobook?job=${encodeURIComponent(book.job_id)}` : null,
    })),
    ...dubs
      .filter(({ tracks }) => hasTracks(tracks))
      .map((dub) => ({
        id: dub.id,
        kind: 'dub' as const,
        name: dub.filename,
        about: dub.language,
        length: dub.duration,
        at: dub.created_at,
        size: dub.size_bytes,
        url: `/dub/download/${encodeURIComponent(dub.id)}`,
        sound: `/dub/download-audio/${encodeURIComponent(dub.id)}`,
        href: hasPage('dub') ? `#/dub/${encodeURIComponent(dub.id)}` : null,
      })),
    ...projects
      .filter(({ kind }) => kind === 'transcript')
      .map((one) => ({
        id: one.id,
        kind: 'transcript' as const,
        name: one.name,
        about: '',
        length: one.duration ?? 0,
        at: one.created_at,
        size: undefined,
        url: `/transcripts/${encodeURIComponent(one.id)}/file`,
        sound: null,
        href: hasPage('transcribe') ? `#/transcribe/${encodeURIComponent(one.id)}` : null,
      })),
  ]
  return all.sort((a, b) => b.at - a.at)
}
