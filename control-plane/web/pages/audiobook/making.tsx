// The book of the open manuscript while it is made: a piece for each chapter, and the way to listen to those that are ready.

import { cancelJob } from '#control-plane/web/frame/active-jobs.ts'
import { Action } from '#control-plane/web/lib/controls.tsx'
import { duration, percent } from '#control-plane/web/lib/format.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/audiobook.ts'
import { Chapters } from '../audiobook-shelf/chapters.tsx'
import type { RunningJob } from '../audiobook-shelf/shelf.ts'
import { listen, nextChapter } from './listen.ts'
import { type Piece, piecesOf } from './pieces.ts'
import { useReport } from './render.ts'

/** One piece a chapter, as long as it sounds. */
const Pieces = ({ pieces, label }: { pieces: readonly Piece[]; label: string }) => (
  <div class="pieces" role="img" aria-label={label}>
    {pieces.map(({ seconds, share, isFailed }, at) => (
      <span key={at} class={isFailed ? 'bad' : undefined} style={{ flexGrow: seconds, '--share': `${share * 100}%` }}></span>
    ))}
  </div>
)

/** `lengths`: seconds that the chapters last by the plan. `href`: address of the manuscript */
export function MakingBook({
  job,
  lengths,
  href,
  title,
  onChanged,
}: {
  job: RunningJob
  lengths: readonly number[]
  href: string
  title: string
  onChanged: () => Promise<void>
}) {
  const { report } = useReport(job.id, job.updated_at)
  const stop = async () => {
    await cancelJob(job.id)
    await onChanged()
  }
  const left = job.seconds_left === null ? '' : strings.left(duration(job.seconds_left))
  const first = report && nextChapter(report, -1)
  const made = report?.chapters.filter(({ error }) => error === '').length ?? 0
  const all = report?.total || lengths.length
  return (
    <section class="making-book" data-book={job.id} aria-label={strings.progress(title)}>
      <div class="row">
        <Pieces
          pieces={piecesOf({ made: report?.chapters ?? [], total: all, lengths, progress: job.progress ?? 0 })}
          label={strings.madeOf(made, all)}
        />
        <span class="soft number">
          {[job.progress === null ? strings.starting : percent(job.progress), left].filter(Boolean).join(' · ')}
        </span>
        <Action disabled={!first} onPress={() => first && listen(job.id, first, href)}>
          <Icon of="play" isSolid />
          {strings.listenFrom((first?.index ?? 0) + 1)}
        </Action>
        <Action onPress={stop} aria-label={strings.stopBook(title)}>
          {strings.stop}
        </Action>
      </div>
      <p class="soft">{strings.mayLeave}</p>
      <Chapters job={job.id} version={job.updated_at} href={href} />
    </section>
  )
}
