// Books that the studio renders: how one is started, and what it has reported.
import type { BookEvent } from '#control-plane/features/books/book/book-events.schema.ts'
import { ApiError, explained, get, messageOf, request } from '#control-plane/web/lib/api.ts'
import { useCallback, useEffect, useState } from '#control-plane/web/lib/html.ts'
import type { Book } from './book.ts'
import { textOf } from './manuscript.ts'

export type MadeChapter = {
  readonly index: number
  readonly title: string
  readonly seconds: number
  readonly warning: string
  readonly error: string
}
export type Report = {
  readonly chapters: readonly MadeChapter[]
  readonly remarks: readonly string[]
  readonly readAlong: string
  readonly error: string
  /** chapters of the book; 0 until it began */
  readonly total: number
}

const DATA = 'data: '

export const voiceRequest = (book: Book) => ({
  ...(book.narrator && { default_voice: book.narrator }),
  ...(book.language && { language: book.language }),
  voice_map: Object.fromEntries(Object.entries(book.cast).filter(([, voice]) => voice !== '')),
  lexicon: Object.fromEntries(
    book.sayAs.filter(({ term, say }) => term.trim() !== '' && say.trim() !== '').map(({ term, say }) => [term.trim(), say.trim()]),
  ),
  ...(Object.keys(book.pauses).length > 0 && { layout_pauses: book.pauses }),
})

/** `project`: '' for none */
export const bookRequest = (book: Book, project: string) => ({
  text: textOf(book.chapters),
  ...voiceRequest(book),
  speak_titles: book.speaksTitles,
  format: book.format,
  ...(book.loudness && { loudness: book.loudness }),
  ...(book.cover && { cover_path: book.cover }),
  readalong: book.hasReadAlong,
  metadata: { ...(book.title && { title: book.title }), ...(book.author && { author: book.author }) },
  keep_running: true,
  ...(project !== '' && { project }),
})

/** The book goes on without this reader, from its first event on. Throws why it was refused. */
async function begin(path: string, body?: unknown) {
  const leave = new AbortController()
  const response = await request('POST', path, { ...(body !== undefined && { body }), signal: leave.signal })
  if (!response.body) return
  const decoder = new TextDecoder()
  let text = ''
  for (const reader = response.body.getReader(); ; ) {
    const { value, done } = await reader.read()
    if (done) return
    text += decoder.decode(value, { stream: true })
    const data = text
      .split('\n\n')
      .slice(0, -1)
      .find((frame) => frame.startsWith(DATA))
      ?.slice(DATA.length)
    if (data === undefined) continue
    leave.abort()
    const event: BookEvent = JSON.parse(data)
    if (event.type === 'error') {
      const { message, hint, needs } = explained(event, event.error, event.hint)
      throw new ApiError(409, message, event.error, hint, needs)
    }
    return
  }
}
export const startBook = (book: Book, project: string) => begin('/audiobook', bookRequest(book, project))
export const resumeBook = (job: string) => begin(`/audiobook/resume/${encodeURIComponent(job)}?keep_running=true`)

/** Report of the events of a book. Pure. */
export function reportOf(events: readonly { payload: string }[]): Report {
  const chapters: Map<number, MadeChapter> = new Map()
  const remarks = new Set<string>()
  let [readAlong, error, total, waiting] = ['', '', 0, '']
  for (const { payload } of events) {
    const event: BookEvent = JSON.parse(payload.replace(/^data: /, ''))
    if (event.type !== 'routing_notice') waiting = '' // the work goes on
    if (event.type === 'chapter' || event.type === 'chapter_error')
      chapters.set(event.index, {
        index: event.index,
        title: event.title,
        ...(event.type === 'chapter'
          ? { seconds: event.duration_s, warning: event.warning ?? '', error: '' }
          : { seconds: 0, warning: '', error: explained(event, event.error, '').message }),
      })
    else if (event.type === 'routing_notice' && event.status === 'waiting') waiting = event.reason
    else if (event.type === 'routing_notice') remarks.add(event.reason)
    else if (event.type === 'started') total = event.chapters
    else if (event.type === 'done') readAlong = event.readalong ?? ''
    else if (event.type === 'error') {
      const shown = explained(event, event.error, event.hint)
      error = [shown.message, shown.hint].filter(Boolean).join(' ')
    }
  }
  if (waiting !== '') remarks.add(waiting)
  return { chapters: [...chapters.values()].sort((one, other) => one.index - other.index), remarks: [...remarks], readAlong, error, total }
}

/** The report of a book, read again when `version` changes. */
export function useReport(job: string, version: unknown) {
  const [{ report, error }, set] = useState({ report: null as Report | null, error: '' })
  const load = useCallback(async () => {
    try {
      const { events } = await get(`/jobs/${encodeURIComponent(job)}/events`)
      set({ report: reportOf(events), error: '' })
    } catch (failure) {
      set((now) => ({ ...now, error: messageOf(failure) }))
    }
  }, [job])
  useEffect(() => void load(), [job, version])
  return { report, error }
}
