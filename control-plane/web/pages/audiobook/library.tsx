// Books: what is being rendered, what stopped and can go on, and what is finished.

import type { PageProps } from '#control-plane/web/app.tsx'
import { cancelJob } from '#control-plane/web/frame/active-jobs.ts'
import { messageOf } from '#control-plane/web/lib/api.ts'
import type { Gets } from '#control-plane/web/lib/api-types.ts'
import { Action, Progress } from '#control-plane/web/lib/controls.tsx'
import { ago, duration, exact, percent } from '#control-plane/web/lib/format.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { PlayButton } from '#control-plane/web/look/play-button.tsx'
import { playSound } from '#control-plane/web/look/sound.ts'
import { strings } from '#messages/create/audiobook.ts'
import { strings as shared } from '#messages/shared.ts'
import { useBook } from './book.ts'
import { NewBook } from './new-book.tsx'
import { resumeBook, useReport } from './render.ts'

export type Job = Gets['/jobs'][number]
export type Finished = Gets['/longform/jobs']['jobs'][number]
export type Stopped = Gets['/audiobook/jobs']['jobs'][number]

const titleOf = ({ meta_json: meta }: Job) => {
  try {
    const { title } = JSON.parse(meta)
    return typeof title === 'string' && title.trim() !== '' ? title : strings.untitled
  } catch {
    return strings.untitled
  }
}

/** Report of a book, chapter by chapter. */
function Chapters({ job, version }: { job: string; version: unknown }) {
  const { report, error } = useReport(job, version)
  if (error)
    return (
      <p class="callout bad text" role="alert">
        {error}
      </p>
    )
  if (report === null) return <p class="soft">{shared.loading}</p>
  return (
    <>
      {report.error && (
        <p class="callout bad text" role="alert">
          <strong>{strings.didNotFinish}</strong> {report.error}
        </p>
      )}
      {report.remarks.map((one) => (
        <p key={one} class="note text">
          <Icon of="note" />
          {one}
        </p>
      ))}
      {report.chapters.length === 0 && !report.error && <p class="soft">{strings.noChapterYet}</p>}
      <ol class="plain made">
        {report.chapters.map(({ index, title, seconds, warning, error: why }) => (
          <li key={index} class="row">
            <span class={`state ${why ? 'bad' : warning ? 'warn' : 'good'}`}>
              <Icon of={why || warning ? 'warning' : 'check'} />
              <span class="text" dir="auto">
                {title || strings.chapter(index + 1)}
              </span>
            </span>
            <span class="spread"></span>
            <span class="soft number">{why ? '' : duration(seconds)}</span>
            {(why || warning) && <small class="text">{why || warning}</small>}
          </li>
        ))}
      </ol>
      {report.readAlong && (
        <a class="button" download href={`/audio/${encodeURIComponent(report.readAlong)}`}>
          <Icon of="download" />
          {strings.readAlong}
        </a>
      )}
    </>
  )
}

/** Chapters on request. */
function Details({ job, version, isOpen = false }: { job: string; version: unknown; isOpen?: boolean }) {
  const [open, setOpen] = useState(isOpen)
  const toggled = ({ currentTarget }: Event) => currentTarget instanceof HTMLDetailsElement && setOpen(currentTarget.open)
  return (
    <details open={isOpen} onToggle={toggled}>
      <summary>{strings.chapters}</summary>
      {open && <Chapters job={job} version={version} />}
    </details>
  )
}

export const RunningBook = ({ job, onChanged }: { job: Job; onChanged: () => Promise<void> }) => {
  const title = titleOf(job)
  const stop = async () => {
    await cancelJob(job.id)
    await onChanged()
  }
  return (
    <li class="sheet book-row" data-book={job.id}>
      <div class="row">
        <span class="kind k7">
          <Icon of="book" />
        </span>
        <b class="text one-line grow" dir="auto">
          {title}
        </b>
        <span class="soft number">
          {[
            job.progress === null ? strings.starting : percent(job.progress),
            job.seconds_left === null ? '' : strings.left(duration(job.seconds_left)),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <Action onPress={stop} aria-label={strings.stopBook(title)}>
          {strings.stop}
        </Action>
      </div>
      <Progress value={job.progress} label={strings.progress(title)} />
      <p class="soft">{strings.mayLeave}</p>
      <Details job={job.id} version={job.updated_at} />
    </li>
  )
}

const StoppedBook = ({ book, isWanted, onChanged }: { book: Stopped; isWanted: boolean; onChanged: () => Promise<void> }) => (
  <li class={isWanted ? 'sheet book-row wanted' : 'sheet book-row'} data-book={book.job_id}>
    <div class="row">
      <span class="kind k7">
        <Icon of="book" />
      </span>
      <b class="text one-line grow" dir="auto">
        {book.title || strings.untitled}
      </b>
      <span class="state warn">
        <Icon of="warning" />
        {strings.kept(book.chapters_done, book.total_chapters)}
      </span>
      <Action
        kind="tint"
        aria-label={strings.resumeBook(book.title || strings.untitled)}
        onPress={() => resumeBook(book.job_id).then(onChanged)}
      >
        {strings.resume}
      </Action>
    </div>
    <Details job={book.job_id} version={book.chapters_done} isOpen={isWanted} />
  </li>
)

function FinishedBook({ book }: { book: Finished }) {
  const created = new Date(book.created_at * 1000)
  const title = book.title || strings.untitled
  const sound = `/audio/${encodeURIComponent(book.output)}`
  const play = () => playSound(sound, { title, href: '#/audiobook', isLong: true }).catch((error) => notify(messageOf(error), 'error'))
  return (
    <li class="sheet book-row" data-book={book.job_id}>
      <div class="row">
        <span class="kind k7">
          <Icon of="book" />
        </span>
        <b class="text one-line grow" dir="auto">
          {title}
        </b>
        <span class="soft number">{strings.length(duration(book.duration_s), book.chapters)}</span>
        <time class="caption" dateTime={created.toISOString()} title={exact(book.created_at)}>
          {ago(book.created_at)}
        </time>
        <PlayButton path={sound} label={strings.playBook(title)} pauseLabel={shared.pauseOf(title)} kind="play" onPress={play} />
        <a class="button" download={`${title}.${book.output.split('.').at(-1)}`} href={sound} aria-label={strings.saveBook(title)}>
          <Icon of="download" />
          {shared.download}
        </a>
      </div>
      <Details job={book.job_id} version={0} />
    </li>
  )
}

/** `wanted`: the book of the address */
export function Library({ wanted, activeJobs }: { wanted: string; activeJobs: PageProps['activeJobs'] }) {
  const { book, isRead } = useBook()
  const stopped = useRead('/audiobook/jobs')
  const finished = useRead('/longform/jobs?limit=500')
  const running = (activeJobs.value ?? []).filter(({ type }) => type === 'audiobook' || type === 'story')
  const ids = running.map(({ id }) => id).join(' ')
  const again = async () => void (await Promise.all([stopped.again(), finished.again(), activeJobs.reload()]))
  useEffect(() => void again(), [ids])
  const isEmpty = running.length === 0 && stopped.value?.jobs.length === 0 && finished.value?.jobs.length === 0
  const error = stopped.error || finished.error
  return (
    <div class="books">
      <NewBook />
      {isRead && book.chapters.length > 0 && (
        <p class="sheet row">
          <span class="kind k7">
            <Icon of="draft" />
          </span>
          <span class="grow text one-line" dir="auto">
            {strings.inProgress(book.title || strings.untitled)}
          </span>
          <a class="button" href="#/audiobook/draft">
            {strings.goOn}
          </a>
        </p>
      )}
      <section aria-label={strings.books}>
        <div class="row region">
          <h2>{strings.books}</h2>
        </div>
        {error && (
          <p class="callout bad text" role="alert">
            {error}{' '}
            <button type="button" class="quiet" onClick={again}>
              {strings.again}
            </button>
          </p>
        )}
        {isEmpty && <p class="soft">{strings.noBooks}</p>}
        <ul class="plain">
          {running.map((job) => (
            <RunningBook key={job.id} job={job} onChanged={again} />
          ))}
          {stopped.value?.jobs
            .filter((one) => !running.some(({ id }) => id === one.job_id))
            .map((one) => (
              <StoppedBook key={one.job_id} book={one} isWanted={one.job_id === wanted} onChanged={again} />
            ))}
          {finished.value?.jobs.map((one) => (
            <FinishedBook key={one.job_id} book={one} />
          ))}
        </ul>
      </section>
    </div>
  )
}
