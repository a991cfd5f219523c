// Books: what needs the person, what else is in work, and what is finished.

import type { PageProps } from '#control-plane/web/app.tsx'
import { useChanges } from '#control-plane/web/lib/changes.ts'
import { duration } from '#control-plane/web/lib/format.ts'
import { useEffect, useMemo, useRef } from '#control-plane/web/lib/html.ts'
import { reportFailure } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { strings } from '#messages/create/audiobook.ts'
import { BOOK, moveLocalBook } from '../audiobook/book.ts'
import { FinishedCard, WorkCard } from './cards.tsx'
import { NewBook } from './new-book.tsx'
import { isBook, shelfOf } from './shelf.ts'

/** `wanted`: the book of the address */
export function Library({ wanted, activeJobs }: { wanted: string; activeJobs: PageProps['activeJobs'] }) {
  const projects = useRead('/projects')
  const stopped = useRead('/audiobook/jobs')
  const finished = useRead('/longform/jobs?limit=500')
  const running = (activeJobs.value ?? []).filter(isBook)
  const ids = running.map(({ id }) => id).join(' ')
  const again = async () => void (await Promise.all([projects.again(), stopped.again(), finished.again(), activeJobs.reload()]))
  const before = useRef(ids)
  useEffect(() => {
    if (before.current !== ids) void again()
    before.current = ids
  }, [ids])
  useChanges('projects', () => void projects.again())
  const moved = async () => void ((await moveLocalBook()) && (await projects.again()))
  useEffect(() => void moved().catch(reportFailure), [])
  const shelf = useMemo(
    () =>
      shelfOf({
        projects: projects.value?.filter(({ kind }) => kind === BOOK) ?? [],
        stopped: (stopped.value?.jobs ?? []).filter(({ job_id }) => !running.some(({ id }) => id === job_id)),
        finished: finished.value?.jobs ?? [],
        running,
      }),
    [projects.value, stopped.value, finished.value, activeJobs.value],
  )
  const isRead = [projects, stopped, finished].every(({ value }) => value !== null)
  const isEmpty = isRead && [...shelf.goOn, ...shelf.finished].length === 0
  const error = projects.error || stopped.error || finished.error
  const seconds = shelf.finished.reduce((sum, one) => sum + (one.finished?.duration_s ?? 0), 0)
  const isWanted = ({ running: runs, stopped: stops, finished: ended }: (typeof shelf.goOn)[number]) =>
    wanted !== '' && [runs?.id, stops?.job_id, ended?.job_id].includes(wanted)
  return (
    <div class="books">
      <NewBook />
      {error && (
        <p class="callout bad text" role="alert">
          {error}{' '}
          <button type="button" class="quiet" onClick={again}>
            {strings.again}
          </button>
        </p>
      )}
      {isEmpty && <p class="soft">{strings.noBooks}</p>}
      {[
        { name: strings.goOn, books: shelf.goOn },
        { name: strings.inWork, books: shelf.others },
      ].map(
        ({ name, books }) =>
          books.length > 0 && (
            <section key={name} aria-label={name}>
              <div class="row region">
                <h2>{name}</h2>
                {books === shelf.others && <span class="soft number">{books.length}</span>}
              </div>
              <ul class="plain work-cards">
                {books.map((one) => (
                  <WorkCard key={one.key} book={one} isWanted={isWanted(one)} onChanged={again} />
                ))}
              </ul>
            </section>
          ),
      )}
      {shelf.finished.length > 0 && (
        <section aria-label={strings.finished}>
          <div class="row region">
            <h2>{strings.finished}</h2>
            <span class="soft number">{strings.sumOf(shelf.finished.length, duration(seconds))}</span>
          </div>
          <ul class="plain book-cards">
            {shelf.finished.map((one) => (
              <FinishedCard key={one.key} book={one} isWanted={isWanted(one)} onChanged={again} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
