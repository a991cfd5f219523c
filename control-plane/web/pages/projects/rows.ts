// Saved projects, dubs and books that stopped, as one list. A manuscript that was made into a book is done; a stopped book is a row of its own only
// without its manuscript.

import type { Gets } from '#control-plane/web/lib/api-types.ts'
import type { IconName } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/library/projects.ts'

export type Kind = keyof typeof strings.kinds
export type Project = {
  id: string
  kind: Kind
  name: string
  language: string
  state: string
  tone: '' | 'good' | 'warn'
  /** seconds */
  length: number | null
  /** epoch seconds */
  at: number
  /** null where its page does not exist */
  href: string | null
}

export const LOOKS: Readonly<Record<Kind, { icon: IconName; tint: number }>> = {
  project: { icon: 'folder', tint: 5 },
  dub: { icon: 'film', tint: 3 },
  audiobook: { icon: 'book', tint: 7 },
  story: { icon: 'book', tint: 6 },
  speech: { icon: 'speak', tint: 1 },
  book: { icon: 'book', tint: 7 },
  transcript: { icon: 'captions', tint: 4 },
}

const dubState = ({ tracks, segments_count: lines }: Gets['/dub/summaries'][number]): Pick<Project, 'state' | 'tone'> =>
  tracks === '[]' || tracks === ''
    ? { state: lines > 0 ? strings.linesToDo(lines) : strings.draft, tone: '' }
    : { state: strings.linesSpoken(lines), tone: 'good' }

type Link = (page: string, address: string) => string | null
const KEPT = ['speech', 'book', 'transcript'] as const
const kindOf = ({ kind }: Gets['/projects'][number]): Kind => KEPT.find((one) => one === kind) ?? 'project'
function editorOf({ id, kind }: Gets['/projects'][number], link: Link) {
  if (kind === 'speech') return link('speak', `#/speak?draft=${encodeURIComponent(id)}`)
  if (kind === 'transcript') return link('transcribe', `#/transcribe/${encodeURIComponent(id)}`)
  return kind === 'book' ? link('audiobook', `#/audiobook/${encodeURIComponent(id)}`) : null
}

/** The last changed one first. */
export function projectsOf(
  {
    projects,
    dubs,
    books,
    made,
  }: {
    projects: Gets['/projects']
    dubs: Gets['/dub/summaries']
    books: Gets['/audiobook/jobs']['jobs']
    made: readonly Pick<Gets['/longform/jobs']['jobs'][number], 'project' | 'duration_s'>[]
  },
  hasPage: (page: string) => boolean,
): Project[] {
  const link = (page: string, address: string) => (hasPage(page) ? address : null)
  const all: Project[] = [
    ...projects.map((one) => {
      const book = made.find(({ project }) => project === one.id)
      const stopped = books.find(({ project }) => project === one.id)
      const state = stopped
        ? strings.stopped(stopped.chapters_done, stopped.total_chapters)
        : book
          ? strings.made
          : one.kind === 'transcript'
            ? strings.transcribed
            : strings.draft
      return {
        id: one.id,
        kind: kindOf(one),
        name: one.name,
        language: '',
        state,
        tone: stopped ? ('warn' as const) : state === strings.draft ? ('' as const) : ('good' as const),
        // A project that was saved without a length may have 0.
        length: book?.duration_s ?? (one.duration || null),
        at: one.updated_at,
        href: editorOf(one, link),
      }
    }),
    ...dubs.map((one) => ({
      id: one.id,
      kind: 'dub' as const,
      name: one.filename,
      language: one.language,
      ...dubState(one),
      length: one.duration,
      at: one.created_at,
      href: link('dub', `#/dub/${encodeURIComponent(one.id)}`),
    })),
    ...books
      .filter(({ project }) => !projects.some(({ id }) => id === project))
      .map((one) => ({
        id: one.job_id,
        kind: one.type,
        name: one.title,
        language: '',
        state: strings.stopped(one.chapters_done, one.total_chapters),
        tone: 'warn' as const,
        length: null,
        at: one.created_at ?? 0,
        href: link('audiobook', `#/audiobook?job=${encodeURIComponent(one.job_id)}`),
      })),
  ]
  return all.sort((a, b) => b.at - a.at)
}
