// @ts-check
// Books: what is being rendered, what stopped and can go on, and what is finished.

import { cancelJob } from '../../frame/tray.js'
import { messageOf } from '../../lib/api.js'
import { Action, Progress } from '../../lib/controls.js'
import { ago, duration, exact, percent } from '../../lib/format.js'
import { html, useEffect, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { useRead } from '../../lib/read.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { PlayButton, playSound } from '../../look/sound.js'
import { useBook } from './book.js'
import { NewBook } from './new-book.js'
import { resumeBook, useReport } from './render.js'
import { strings } from './strings.js'

/** @import { Gets } from '../../lib/api-types.ts' */
/** @import { PageProps } from '../../app.js' */
/** @typedef {Gets['/jobs'][number]} Job */
/** @typedef {Gets['/longform/jobs']['jobs'][number]} Finished */
/** @typedef {Gets['/audiobook/jobs']['jobs'][number]} Stopped */

/** @param {Job} job */
const titleOf = ({ meta_json: meta }) => {
  try {
    const { title } = JSON.parse(meta)
    return typeof title === 'string' && title.trim() !== '' ? title : strings.untitled
  } catch {
    return strings.untitled
  }
}

/** What a book has reported, chapter by chapter. @param {{ job: string, version: unknown }} props */
function Chapters({ job, version }) {
  const { report, error } = useReport(job, version)
  if (error) return html`<p class="callout bad text" role="alert">${error}</p>`
  if (report === null) return html`<p class="soft">${shared.loading}</p>`
  return html`${report.error && html`<p class="callout bad text" role="alert"><strong>${strings.didNotFinish}</strong> ${report.error}</p>`}
    ${report.remarks.map((one) => html`<p key=${one} class="note text"><${Icon} of="note" />${one}</p>`)}
    ${report.chapters.length === 0 && !report.error && html`<p class="soft">${strings.noChapterYet}</p>`}
    <ol class="plain made">${report.chapters.map(
      ({ index, title, seconds, warning, error: why }) => html`<li key=${index} class="row">
        <span class=${`state ${why ? 'bad' : warning ? 'warn' : 'good'}`}><${Icon} of=${why || warning ? 'warning' : 'check'} /><span class="text" dir="auto">${title || strings.chapter(index + 1)}</span></span>
        <span class="spread"></span><span class="soft number">${why ? '' : duration(seconds)}</span>${(why || warning) && html`<small class="text">${why || warning}</small>`}</li>`,
    )}</ol>
    ${report.readAlong && html`<a class="button" download href=${`/audio/${encodeURIComponent(report.readAlong)}`}><${Icon} of="download" />${strings.readAlong}</a>`}`
}

/** Chapters on request. @param {{ job: string, version: unknown, isOpen?: boolean }} props */
function Details({ job, version, isOpen = false }) {
  const [open, setOpen] = useState(isOpen)
  const toggled = (/** @type {Event} */ { currentTarget }) => currentTarget instanceof HTMLDetailsElement && setOpen(currentTarget.open)
  return html`<details open=${isOpen} onToggle=${toggled}><summary>${strings.chapters}</summary>${open && html`<${Chapters} job=${job} version=${version} />`}</details>`
}

/** @param {{ job: Job, onChanged: () => Promise<void> }} props */
export const RunningBook = ({ job, onChanged }) => {
  const title = titleOf(job)
  const stop = async () => {
    await cancelJob(job.id)
    await onChanged()
  }
  return html`<li class="sheet book-row" data-book=${job.id}>
    <div class="row"><span class="kind k7"><${Icon} of="book" /></span><b class="text one-line grow" dir="auto">${title}</b>
      <span class="soft number">${[job.progress === null ? strings.starting : percent(job.progress), job.seconds_left === null ? '' : strings.left(duration(job.seconds_left))].filter(Boolean).join(' · ')}</span>
      <${Action} onPress=${stop} aria-label=${strings.stopBook(title)}>${strings.stop}<//></div>
    <${Progress} value=${job.progress} label=${strings.progress(title)} />
    <p class="soft">${strings.mayLeave}</p>
    <${Details} job=${job.id} version=${job.updated_at} />
  </li>`
}

/** @param {{ book: Stopped, isWanted: boolean, onChanged: () => Promise<void> }} props */
const StoppedBook = ({
  book,
  isWanted,
  onChanged,
}) => html`<li class=${isWanted ? 'sheet book-row wanted' : 'sheet book-row'} data-book=${book.job_id}>
  <div class="row"><span class="kind k7"><${Icon} of="book" /></span><b class="text one-line grow" dir="auto">${book.title || strings.untitled}</b>
    <span class="state warn"><${Icon} of="warning" />${strings.kept(book.chapters_done, book.total_chapters)}</span>
    <${Action} kind="tint" aria-label=${strings.resumeBook(book.title || strings.untitled)} onPress=${() => resumeBook(book.job_id).then(onChanged)}>${strings.resume}<//></div>
  <${Details} job=${book.job_id} version=${book.chapters_done} isOpen=${isWanted} />
</li>`

/** @param {{ book: Finished }} props */
function FinishedBook({ book }) {
  const created = new Date(book.created_at * 1000)
  const title = book.title || strings.untitled
  const sound = `/audio/${encodeURIComponent(book.output)}`
  const play = () => playSound(sound, { title, href: '#/audiobook', isLong: true }).catch((error) => notify(messageOf(error), 'error'))
  return html`<li class="sheet book-row" data-book=${book.job_id}>
    <div class="row"><span class="kind k7"><${Icon} of="book" /></span><b class="text one-line grow" dir="auto">${title}</b>
      <span class="soft number">${strings.length(duration(book.duration_s), book.chapters)}</span>
      <time class="caption" dateTime=${created.toISOString()} title=${exact(book.created_at)}>${ago(book.created_at)}</time>
      <${PlayButton} path=${sound} label=${strings.playBook(title)} pauseLabel=${shared.pauseOf(title)} kind="play" onPress=${play} />
      <a class="button" download=${`${title}.${book.output.split('.').at(-1)}`} href=${sound} aria-label=${strings.saveBook(title)}><${Icon} of="download" />${shared.download}</a></div>
    <${Details} job=${book.job_id} version=${0} />
  </li>`
}

/** @param {{ wanted: string, activeJobs: PageProps['activeJobs'] }} props wanted: the book of the address */
export function Library({ wanted, activeJobs }) {
  const { book, isRead } = useBook()
  const stopped = useRead('/audiobook/jobs')
  const finished = useRead('/longform/jobs?limit=500')
  const running = (activeJobs.value ?? []).filter(({ type }) => type === 'audiobook' || type === 'story')
  const ids = running.map(({ id }) => id).join(' ')
  const again = async () => void (await Promise.all([stopped.again(), finished.again(), activeJobs.reload()]))
  useEffect(() => void again(), [ids])
  const isEmpty = running.length === 0 && stopped.value?.jobs.length === 0 && finished.value?.jobs.length === 0
  const error = stopped.error || finished.error
  return html`<div class="books">
    <${NewBook} />
    ${
      isRead &&
      book.chapters.length > 0 &&
      html`<p class="sheet row"><span class="kind k7"><${Icon} of="draft" /></span><span class="grow text one-line" dir="auto">${strings.inProgress(book.title || strings.untitled)}</span>
        <a class="button" href="#/audiobook/draft">${strings.goOn}</a></p>`
    }
    <section aria-label=${strings.books}>
      <div class="row region"><h2>${strings.books}</h2></div>
      ${error && html`<p class="callout bad text" role="alert">${error} <button type="button" class="quiet" onClick=${again}>${strings.again}</button></p>`}
      ${isEmpty && html`<p class="soft">${strings.noBooks}</p>`}
      <ul class="plain">
        ${running.map((job) => html`<${RunningBook} key=${job.id} job=${job} onChanged=${again} />`)}
        ${stopped.value?.jobs.filter((one) => !running.some(({ id }) => id === one.job_id)).map((one) => html`<${StoppedBook} key=${one.job_id} book=${one} isWanted=${one.job_id === wanted} onChanged=${again} />`)}
        ${finished.value?.jobs.map((one) => html`<${FinishedBook} key=${one.job_id} book=${one} />`)}
      </ul>
    </section>
  </div>`
}
