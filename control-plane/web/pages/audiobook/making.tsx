// The book of the open manuscript while it is made.

import { cancelJob } from '#control-plane/web/frame/active-jobs.ts'
import { Action, Progress } from '#control-plane/web/lib/controls.tsx'
import { duration, percent } from '#control-plane/web/lib/format.ts'
import { strings } from '#messages/create/audiobook.ts'
import { Chapters } from '../audiobook-shelf/chapters.tsx'
import type { RunningJob } from '../audiobook-shelf/shelf.ts'

export function MakingBook({ job, title, onChanged }: { job: RunningJob; title: string; onChanged: () => Promise<void> }) {
  const stop = async () => {
    await cancelJob(job.id)
    await onChanged()
  }
  const left = job.seconds_left === null ? '' : strings.left(duration(job.seconds_left))
  return (
    <div class="sheet making-book" data-book={job.id}>
      <div class="row">
        <span class="soft number">
          {[job.progress === null ? strings.starting : percent(job.progress), left].filter(Boolean).join(' · ')}
        </span>
        <span class="grow soft">{strings.mayLeave}</span>
        <Action onPress={stop} aria-label={strings.stopBook(title)}>
          {strings.stop}
        </Action>
      </div>
      <Progress value={job.progress} label={strings.progress(title)} />
      <Chapters job={job.id} version={job.updated_at} />
    </div>
  )
}
