// The table of jobs: the rows near the view are drawn, and older pages are read when they come near.

import { jobName } from '#control-plane/web/frame/active-jobs.ts'
import { isActive } from '#control-plane/web/frame/job.ts'
import { JobKind } from '#control-plane/web/frame/tray.tsx'
import { Progress } from '#control-plane/web/lib/controls.tsx'
import { ago, percent, remaining } from '#control-plane/web/lib/format.ts'
import { useEffect } from '#control-plane/web/lib/html.ts'
import type { IconName } from '#control-plane/web/look/icons.tsx'
import { Icon, Ring } from '#control-plane/web/look/icons.tsx'
import { useIsPhone, useShownRows } from '#control-plane/web/look/windowed.ts'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/jobs.ts'
import type { Job } from './list.ts'
import { progressText } from './texts.ts'

/** Pixels, as in the style sheet. */
const ROW = 56
const PHONE_ROW = 64
/** Older jobs are read when so many rows are left. */
const NEAR = 40
const LOOKS: Readonly<Record<Job['status'], { icon: IconName; tone: string }>> = {
  pending: { icon: 'clock', tone: 'quiet' },
  running: { icon: 'clock', tone: 'busy' },
  done: { icon: 'check', tone: 'good' },
  failed: { icon: 'failed', tone: 'bad' },
  cancelled: { icon: 'stopped', tone: 'quiet' },
}

export function JobState({ job: { status, progress } }: { job: Job }) {
  const { icon, tone } = LOOKS[status]
  return (
    <span class={`state ${tone}`}>
      {status === 'running' ? <Ring share={progress} /> : <Icon of={icon} />}
      {strings.jobStates[status]}
    </span>
  )
}

function Row({ job, isOpen, index, query }: { job: Job; isOpen: boolean; index: number; query: string }) {
  const name = jobName(job)
  const text = progressText(job)
  const active = isActive(job)
  return (
    <tr data-job={job.id} aria-rowindex={index + 2} aria-current={isOpen ? 'true' : undefined}>
      <th scope="row">
        <span class="named-voice">
          <JobKind type={job.type} />
          <span>
            <a class="text one-line" dir="auto" href={`#/jobs/${encodeURIComponent(job.id)}${query}`}>
              {name}
            </a>
            <small class="text one-line">
              {strings.jobKind(job.type)}
              <span class="phone-only-inline"> · {strings.jobStates[job.status]}</span>
            </small>
          </span>
        </span>
      </th>
      <td class="of-kind">
        <JobState job={job} />
      </td>
      <td class="of-language">
        {active && job.status === 'running' && (
          <Progress
            value={job.progress}
            label={strings.progress(name, job.progress === null ? strings.jobStates.running : percent(job.progress))}
          />
        )}
        {text && (
          <small class="text one-line" dir="auto" title={text}>
            {text}
          </small>
        )}
      </td>
      <td class="made">
        {active && job.seconds_left !== null ? strings.timeLeft(remaining(job.seconds_left)) : ago(job.finished_at ?? job.created_at)}
      </td>
    </tr>
  )
}

/** `query`: of the address, with its question mark */
export function JobTable({
  jobs,
  total,
  openId,
  query,
  isWhole,
  onMore,
}: {
  jobs: readonly Job[]
  total: number
  openId: string
  query: string
  isWhole: boolean
  onMore: () => unknown
}) {
  const row = useIsPhone() ? PHONE_ROW : ROW
  const { place, first, last } = useShownRows<HTMLTableSectionElement>({ count: jobs.length, row })
  useEffect(() => {
    if (!isWhole && last >= jobs.length - NEAR) onMore()
  }, [last, jobs.length, isWhole])
  const space = (rows: number) => rows > 0 && <tr role="presentation" class="space" style={{ height: `${rows * row}px` }}></tr>
  return (
    <>
      <table class="list-table jobs" aria-rowcount={total + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {Object.entries(strings.jobColumns).map(([id, name]) => (
              <th key={id} scope="col" class={`col-${id}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={place}>
          {space(first)}
          {jobs.slice(first, last).map((job, at) => (
            <Row key={job.id} job={job} index={first + at} isOpen={job.id === openId} query={query} />
          ))}
          {space(jobs.length - last)}
        </tbody>
      </table>
      {!isWhole && (
        <p class="hidden" role="status">
          {shared.loading}
        </p>
      )}
    </>
  )
}
