// Jobs: everything that was asked for and takes a while, in one table; and what the machines do for it. The view is in the address:
// #/jobs, #/jobs/<job>, #/jobs/work.

import type { Address } from '#control-plane/web/frame/address.ts'
import { queryOf, useChoices } from '#control-plane/web/frame/address.ts'
import { isActive } from '#control-plane/web/frame/job.ts'
import { Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import type { Live } from '#control-plane/web/lib/live.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings as frame } from '#messages/frame.ts'
import { grouped } from '#messages/language.ts'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/jobs.ts'
import { JobDetails } from './inspector.tsx'
import { countOf, useJobs } from './list.ts'
import { JobTable } from './table.tsx'
import { Work } from './work.tsx'

/** The address of what the machines do, beside ids of jobs. */
const WORK = 'work'
const STATUSES = ['', 'active', 'done', 'failed', 'cancelled'] as const
const KINDS = Object.keys(frame.kinds)

const Views = ({ isWork }: { isWork: boolean }) => (
  <nav class="tabs" aria-label={strings.views}>
    <a href="#/jobs" aria-current={isWork ? undefined : 'page'}>
      {strings.tasks}
    </a>
    <a href="#/jobs/work" aria-current={isWork ? 'page' : undefined}>
      {strings.work}
    </a>
  </nav>
)

function Table({ openId, query, hint }: { openId: string; query: URLSearchParams; hint: unknown }) {
  const [wanted, change] = useChoices(query, ['state', 'kind', 'q'])
  const { state, kind, q } = wanted
  const { jobs, isWhole, counts, error, isRead, more, again } = useJobs({ status: state, type: kind, q }, hint)
  const search = queryOf(wanted)
  const sorted = [...jobs.filter(isActive), ...jobs.filter((job) => !isActive(job))]
  const total = counts === null ? jobs.length : countOf(counts, state)
  return (
    <div class={openId ? 'beside with-details' : 'beside'}>
      <div class="listed">
        <Views isWork={false} />
        <div class="row voice-filters">
          <div class="row segments" role="group" aria-label={strings.show}>
            {STATUSES.map((one) => (
              <button key={one} type="button" class="quiet" aria-pressed={state === one} onClick={() => change({ state: one })}>
                {strings.statuses[one || 'all']}
                {counts !== null && (
                  <>
                    {' '}
                    <small class="number">{grouped(countOf(counts, one))}</small>
                  </>
                )}
              </button>
            ))}
          </div>
          <Field label={strings.kind} look="chip">
            <select value={kind} onChange={(event: Event) => change({ kind: fieldValue(event) })}>
              <option value="">{strings.allKinds}</option>
              {KINDS.map((one) => (
                <option key={one} value={one}>
                  {frame.kind(one)}
                </option>
              ))}
            </select>
          </Field>
          <span class="spread"></span>
          <input
            type="search"
            class="find"
            maxlength={200}
            value={q}
            placeholder={strings.findJob}
            aria-label={strings.findJob}
            onInput={(event: Event) => change({ q: fieldValue(event) })}
          />
          <span class="hidden" role="status">
            {isRead ? strings.found(total) : shared.loading}
          </span>
        </div>
        {error && (
          <p class="callout bad text" role="alert">
            {strings.readError}
            {error}{' '}
            <button type="button" class="quiet" onClick={again}>
              {shared.tryAgain}
            </button>
          </p>
        )}
        {!isRead && (
          <div class="waiting" aria-hidden="true">
            {[1, 2, 3].map((one) => (
              <div key={one} class="skeleton"></div>
            ))}
          </div>
        )}
        {isRead &&
          jobs.length === 0 &&
          !error &&
          (search ? (
            <p class="empty">
              {strings.noneFound}{' '}
              <button type="button" class="quiet" onClick={() => change({ state: '', kind: '', q: '' })}>
                {strings.showAll}
              </button>
            </p>
          ) : (
            <div class="empty">
              <span class="kind k8 large">
                <Icon of="jobs" isLarge />
              </span>
              <p>{strings.noJobs}</p>
            </div>
          ))}
        {jobs.length > 0 && <JobTable jobs={sorted} total={total} openId={openId} query={search} isWhole={isWhole} onMore={more} />}
      </div>
      {openId && <JobDetails key={openId} id={openId} back={`#/jobs${search}`} onChanged={again} />}
    </div>
  )
}

export function Jobs({
  live,
  address,
  activeJobs,
}: {
  live: Live
  address: Address
  activeJobs: { readonly value: readonly { readonly id: string; readonly status: string }[] | null }
}) {
  const isWork = address.object === WORK
  const hint = (activeJobs.value ?? []).map(({ id, status }) => id + status).join()
  if (isWork)
    return (
      <>
        <Views isWork={true} />
        <Work live={live} />
      </>
    )
  return <Table openId={address.object} query={address.query} hint={hint} />
}
