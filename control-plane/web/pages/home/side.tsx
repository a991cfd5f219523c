// The side of Home: what runs now, what happened that the owner should know, and what would make the studio better: at most three, each
// with a verb.

import type { useActiveJobs } from '#control-plane/web/frame/active-jobs.ts'
import { JobLine } from '#control-plane/web/frame/tray.tsx'
import { post } from '#control-plane/web/lib/api.ts'
import { Action } from '#control-plane/web/lib/controls.tsx'
import type { Live } from '#control-plane/web/lib/live.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { mayAdminister } from '#control-plane/web/visitor.ts'
import { strings } from '#messages/start/home.ts'
import { suggestionsOf } from './suggestions.ts'

const JOBS = 4

function Suggestions({ live }: { live: Live }) {
  const { value, error, reading } = useRead('/setup/preflight?network=false')
  const notifications = useRead('/system/notifications')
  const needs = useRead('/models/needs')
  const all = suggestionsOf(value, live.fleet?.workers ?? [], notifications.value?.notifications ?? [], needs.value?.needs ?? [])
  const dismiss = async (path: '/system/last-run-crash/ack' | '/system/crash/ack') => {
    await post(path, {})
    await notifications.again()
  }
  const hasFailure = all.some(({ isFailure }) => isFailure)
  const title = hasFailure ? strings.notReady : all.length > 0 ? strings.suggestions(all.length) : strings.ready
  return (
    <section class="panel" aria-label={title}>
      {value === null && reading ? (
        <p class="state" role="status">
          <Icon of="clock" />
          {strings.checking}
        </p>
      ) : (
        <h2 class={`state ${hasFailure ? 'bad' : 'good'}`}>
          <Icon of={hasFailure ? 'warning' : 'check'} />
          <a href="#/health">{title}</a>
        </h2>
      )}
      {error && (
        <p class="callout bad text" role="alert">
          {error}
        </p>
      )}
      <ul class="suggestions">
        {all.map(({ id, text, detail, verb, href, seen }) => (
          <li key={id}>
            <span class="text">
              {text}
              {detail && <small class="text clip">{detail}</small>}
            </span>
            <span class="acts">
              <a href={href} aria-label={`${verb}: ${text}`}>
                {verb}
              </a>
              {seen && (
                <Action kind="quiet" aria-label={`${strings.dismiss}: ${text}`} onPress={() => dismiss(seen)}>
                  {strings.dismiss}
                </Action>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Side({ live, activeJobs }: { live: Live; activeJobs: ReturnType<typeof useActiveJobs> }) {
  const jobs = activeJobs.value ?? []
  return (
    <div class="side">
      <section class="panel flush" aria-label={strings.running}>
        <div class="row">
          <h2>{strings.running}</h2>
          <span class="spread"></span>
          {mayAdminister && <a href="#/jobs">{strings.jobs}</a>}
        </div>
        {jobs.length === 0 && <p class="soft nothing">{strings.nothing}</p>}
        <ul class="tray-list">
          {jobs.slice(0, JOBS).map((job) => (
            <JobLine key={job.id} job={job} onChanged={activeJobs.reload} />
          ))}
        </ul>
      </section>
      {mayAdminister && <Suggestions live={live} />}
    </div>
  )
}
