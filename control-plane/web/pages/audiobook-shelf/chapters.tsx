// The report of a book, chapter by chapter.

import { duration } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { reportFailure } from '#control-plane/web/lib/notices.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { PlayButton } from '#control-plane/web/look/play-button.tsx'
import { strings } from '#messages/create/audiobook.ts'
import { strings as shared } from '#messages/shared.ts'
import { chapterSound, listChapters, listen } from '../audiobook/listen.ts'
import { useReport } from '../audiobook/render.ts'

function Report({ job, version, href }: { job: string; version: unknown; href: string }) {
  const { report, error } = useReport(job, version)
  if (error)
    return (
      <p class="callout bad text" role="alert">
        {error}
      </p>
    )
  if (report) listChapters(job, report)
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
          {serverSentence(one)}
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
            {!why && (
              <PlayButton
                path={chapterSound(job, index)}
                label={strings.listenTo(title || strings.chapter(index + 1))}
                pauseLabel={shared.pauseOf(title || strings.chapter(index + 1))}
                onPress={() => listen(job, { index, title }, href).catch(reportFailure)}
              />
            )}
            {(why || warning) && <small class="text">{serverSentence(why || warning)}</small>}
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

/** The chapters on request. */
export function Chapters({
  job,
  version,
  href,
  isOpen = false,
  name = strings.chapters,
}: {
  job: string
  version: unknown
  /** address of the page of the book */
  href: string
  isOpen?: boolean
  name?: string
}) {
  const [open, setOpen] = useState(isOpen)
  const toggled = ({ currentTarget }: Event) => currentTarget instanceof HTMLDetailsElement && setOpen(currentTarget.open)
  return (
    <details open={isOpen} onToggle={toggled}>
      <summary>{name}</summary>
      {open && <Report job={job} version={version} href={href} />}
    </details>
  )
}
