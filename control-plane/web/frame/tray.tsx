import { strings } from '#messages/frame.ts'
import { Action, Popover, Progress } from '../lib/controls.tsx'
import { percent, remaining } from '../lib/format.ts'
import type { IconName } from '../look/icons.tsx'
import { Icon, Ring } from '../look/icons.tsx'
import { cancelJob, type Job, jobName, meanProgress } from './active-jobs.ts'

const SHOWN = 8
/** By the first word of a type. */
const LOOKS: Readonly<Record<string, [IconName, number]>> = {
  generate: ['speak', 1],
  audiobook: ['book', 7],
  story: ['book', 7],
  dub: ['film', 3],
  batch: ['film', 3],
  model: ['download', 8],
  transcription: ['captions', 4],
}

/** The picture of a kind of job. */
export function JobKind({ type, isBig = false }: { type: string; isBig?: boolean }) {
  const [icon, tint] = LOOKS[type.split('_', 1)[0] ?? ''] ?? ['jobs', 8]
  return (
    <span class={`kind k${tint} ${isBig ? 'big' : ''}`}>
      <Icon of={icon} />
    </span>
  )
}

export function JobLine({ job, onChanged }: { job: Job; onChanged: () => Promise<void> }) {
  const name = jobName(job)
  const cancel = async () => {
    await cancelJob(job.id)
    await onChanged()
  }
  const state = job.status === 'pending' ? strings.waiting : strings.running
  return (
    <li data-job={job.id}>
      <JobKind type={job.type} />
      <div class="what">
        <div class="row">
          <b class="text one-line">{name}</b>
          <span class="spread"></span>
          {job.seconds_left !== null && <small class="one-line number">{strings.left(remaining(job.seconds_left))}</small>}
        </div>
        <Progress value={job.progress} label={strings.progress(name, job.progress === null ? state : percent(job.progress))} />
        <small class="one-line">{[strings.kind(job.type), job.progress === null ? state : percent(job.progress)].join(' · ')}</small>
      </div>
      <Action kind="quiet icon-only" aria-label={strings.cancelJob(name)} title={strings.cancelJob(name)} onPress={cancel}>
        <Icon of="close" />
      </Action>
    </li>
  )
}

/** Nothing is shown while nothing runs. */
export function Tray({ jobs, onChanged, hasPage }: { jobs: readonly Job[]; onChanged: () => Promise<void>; hasPage: boolean }) {
  if (jobs.length === 0) return null
  const text = strings.active(jobs.length)
  return (
    <Popover
      id="jobs-tray"
      label={text}
      title={strings.jobs}
      face={
        <>
          <Ring share={meanProgress(jobs)} />
          <span class="wide-only">{text}</span>
        </>
      }
    >
      <header>
        <h2>{strings.jobs}</h2>
        <small>{strings.safeToLeave}</small>
        <span class="spread"></span>
        {hasPage && (
          <a data-close href="#/jobs">
            {strings.seeAll}
          </a>
        )}
      </header>
      <ul class="tray-list">
        {jobs.slice(0, SHOWN).map((job) => (
          <JobLine key={job.id} job={job} onChanged={onChanged} />
        ))}
      </ul>
    </Popover>
  )
}
