// Recent work to go on with: books, dubs, projects and takes, newest first.

import type { Gets, HistoryTake } from '#control-plane/web/lib/api-types.ts'
import { ago, exact } from '#control-plane/web/lib/format.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import type { IconName } from '#control-plane/web/look/icons.tsx'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/start/home.ts'

export type Recent = {
  id: string
  icon: IconName
  tint: number
  name: string
  detail: string
  tone: 'good' | 'warn' | 'quiet'
  state: string
  /** epoch seconds */
  at: number
  /** null where its page does not exist yet */
  href: string | null
}
/** each null until it is read */
export type Lists = {
  takes: readonly HistoryTake[] | null
  projects: readonly Gets['/projects'][number][] | null
  dubs: readonly Gets['/dub/summaries'][number][] | null
  /** that stopped */
  books: Gets['/audiobook/jobs'] | null
  finished: Gets['/longform/jobs'] | null
}

const SHOWN = 6
/** Takes are many; they leave room for the others. */
const TAKES = 3
const NAME_CHARS = 80
const STATE_ICONS: Readonly<Record<'good' | 'warn' | 'quiet', IconName>> = { good: 'check', warn: 'warning', quiet: 'draft' }

/** `tracks`: the languages in which it is spoken, as JSON */
const dubState = ({ tracks }: { tracks: string }): Pick<Recent, 'tone' | 'state'> =>
  tracks === '[]' || tracks === '' ? { tone: 'quiet', state: strings.draft } : { tone: 'good', state: strings.spoken }

type Link = (page: string, address: string) => string | null
function lookOf({ id, kind }: Gets['/projects'][number], link: Link): Pick<Recent, 'icon' | 'tint' | 'detail' | 'href'> {
  const own = encodeURIComponent(id)
  if (kind === 'speech') return { icon: 'speak', tint: 1, detail: strings.speech, href: link('speak', `#/speak?draft=${own}`) }
  if (kind === 'book') return { icon: 'book', tint: 7, detail: strings.manuscript, href: link('audiobook', `#/audiobook/${own}`) }
  if (kind === 'transcript')
    return { icon: 'captions', tint: 4, detail: strings.transcript, href: link('transcribe', `#/transcribe/${own}`) }
  return { icon: 'folder', tint: 5, detail: strings.project, href: link('projects', '#/projects') }
}

export function recentOf({ takes, projects, dubs, books, finished }: Lists, hasPage: (page: string) => boolean): Recent[] {
  const link = (page: string, address: string) => (hasPage(page) ? address : null)
  // A manuscript that was made into a book is shown as the book, which leads to it.
  const known = new Set(projects?.map(({ id }) => id))
  const made = new Set([...(books?.jobs ?? []), ...(finished?.jobs ?? [])].map(({ project }) => project))
  const bookOf = (id: string, title: string, chapters: number, project?: string) => ({
    id: `book-${id}`,
    icon: 'book' as IconName,
    tint: 7,
    name: title,
    detail: strings.book(chapters),
    href: link(
      'audiobook',
      project && known.has(project) ? `#/audiobook/${encodeURIComponent(project)}` : `#/audiobook?job=${encodeURIComponent(id)}`,
    ),
  })
  const all: Recent[] = [
    ...(takes ?? []).slice(0, TAKES).map((take) => ({
      id: `take-${take.id}`,
      icon: 'speak' as IconName,
      tint: 1,
      name: take.text.slice(0, NAME_CHARS),
      detail: strings.take,
      tone: 'good' as const,
      state: strings.done,
      at: take.created_at,
      href: link('speak', `#/speak?take=${encodeURIComponent(take.id)}`),
    })),
    ...(projects ?? [])
      .filter(({ id }) => !made.has(id))
      .map((project) => ({
        id: `project-${project.id}`,
        ...lookOf(project, link),
        name: project.name,
        tone: 'quiet' as const,
        state: strings.draft,
        at: project.updated_at,
      })),
    ...(dubs ?? []).map((dub) => ({
      ...dubState(dub),
      id: `dub-${dub.id}`,
      icon: 'film' as IconName,
      tint: 3,
      name: dub.filename,
      detail: strings.dub(dub.language, dub.segments_count),
      at: dub.created_at,
      href: link('dub', `#/dub/${encodeURIComponent(dub.id)}`),
    })),
    ...(books?.jobs ?? []).map((book) => ({
      ...bookOf(book.job_id, book.title, book.total_chapters, book.project),
      tone: 'warn' as const,
      state: strings.stopped(book.chapters_done, book.total_chapters),
      at: book.created_at ?? 0,
    })),
    ...(finished?.jobs ?? []).map((book) => ({
      ...bookOf(book.job_id, book.title, book.chapters, book.project),
      tone: 'good' as const,
      state: strings.done,
      at: book.created_at,
    })),
  ]
  return all.sort((a, b) => b.at - a.at).slice(0, SHOWN)
}

const Row = ({ one }: { one: Recent }) => {
  const created = new Date(one.at * 1000)
  return (
    <li>
      <span class={`kind k${one.tint}`}>
        <Icon of={one.icon} />
      </span>
      {one.href === null ? (
        <b class="text one-line" dir="auto">
          {one.name}
        </b>
      ) : (
        <a class="text one-line" dir="auto" href={one.href}>
          {one.name}
        </a>
      )}
      <span class="soft one-line">{one.detail}</span>
      <span class={`state ${one.tone}`}>
        <Icon of={STATE_ICONS[one.tone]} />
        {one.state}
      </span>
      <time class="caption" dateTime={created.toISOString()} title={exact(one.at)}>
        {ago(one.at)}
      </time>
    </li>
  )
}

/** `onTry`: speaks one of the first texts */
export function Continue({ hasPage, onTry }: { hasPage: (page: string) => boolean; onTry: (text: string) => void }) {
  const [takes, projects, dubs, books, finished] = [
    useRead('/history'),
    useRead('/projects'),
    useRead(`/dub/summaries?limit=${SHOWN}`),
    useRead('/audiobook/jobs'),
    useRead(`/longform/jobs?limit=${SHOWN}`),
  ]
  const reads = [takes, projects, dubs, books, finished]
  const lists = { takes: takes.value, projects: projects.value, dubs: dubs.value, books: books.value, finished: finished.value }
  const rows = recentOf(lists, hasPage)
  const isRead = reads.every(({ value, error }) => value !== null || error !== '')
  const error = reads.find((one) => one.error !== '')?.error
  const isFirst = isRead && !error && rows.length === 0
  return (
    <section aria-label={isFirst ? strings.first : strings.continue}>
      <div class="row region">
        <h2>{isFirst ? strings.first : strings.continue}</h2>
        {isFirst && <span class="soft">{strings.firstHint}</span>}
        <span class="spread"></span>
        {rows.length > 0 && hasPage('projects') && <a href="#/projects">{strings.allProjects}</a>}
      </div>
      {error && (
        <p class="callout bad text" role="alert">
          {strings.readError(error)}
        </p>
      )}
      {!isRead && (
        <div class="waiting" aria-hidden="true">
          {[1, 2, 3].map((one) => (
            <div key={one} class="skeleton"></div>
          ))}
        </div>
      )}
      {isRead && rows.length > 0 && (
        <ul class="recent">
          {rows.map((one) => (
            <Row key={one.id} one={one} />
          ))}
        </ul>
      )}
      {isFirst && (
        <ul class="recent samples makes">
          {strings.samples.map((text) => (
            <li key={text}>
              <button type="button" class="item" onClick={() => onTry(text)}>
                <span class="kind k1">
                  <Icon of="play" isSolid />
                </span>
                <span>{text}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
