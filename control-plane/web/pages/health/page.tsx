// Health: the worst fact in words, and the figures of this studio, those of GET /metrics and of the pages that can change them.

import type { ComponentChildren } from 'preact'
import { request } from '#control-plane/web/lib/api.ts'
import { bytes, duration, exact, percent } from '#control-plane/web/lib/format.ts'
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import type { Live } from '#control-plane/web/lib/live.ts'
import { usePolled } from '#control-plane/web/lib/read.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { grouped } from '#messages/language.ts'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/health.ts'
import { strings as jobs } from '#messages/system/jobs.ts'
import { ActivityOfDays, type Minutes, rangeOf, sum } from '../jobs/chart.tsx'
import type { Sample } from './figures.ts'
import { quantileOf, SOUND_ROUTES, samplesOf, totalOf } from './figures.ts'
import type { Known } from './worst.ts'
import { daysUntil, factsOf } from './worst.ts'

const EVERY_MS = 10_000
/** For figures that change slowly, or take the disk to read. */
const SLOW_MS = 60_000
const GIB = 2 ** 30
/** Machines that have a row. */
const MOST_MACHINES = 6

/** null until they are read; after a failure the last ones stay */
function useFigures(): readonly Sample[] | null {
  const [samples, set] = useState<readonly Sample[] | null>(null)
  useEffect(() => {
    const leaving = new AbortController()
    const read = async () => {
      if (document.hidden) return
      const answer = await request('GET', '/metrics', { signal: leaving.signal })
      const text = await answer.text()
      if (!leaving.signal.aborted) set(samplesOf(text))
    }
    const quietly = () => void read().catch(() => {})
    quietly()
    const timer = setInterval(quietly, EVERY_MS)
    document.addEventListener('visibilitychange', quietly)
    return () => {
      leaving.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', quietly)
    }
  }, [])
  return samples
}

/** A figure that opens the page that can change it. */
const Tile = ({
  name,
  when = strings.sinceStart,
  value,
  detail,
  href,
  children,
}: {
  name: string
  when?: string
  value: string
  detail: string
  href: string
  children?: ComponentChildren
}) => (
  <a class="figure" href={href}>
    <span class="row">
      <span>{name}</span> <small>{when}</small>
    </span>
    <b class="number">{value}</b>
    <small class="text">{detail}</small>
    {children}
  </a>
)

const seconds = (value: number | null) => (value === null ? strings.none : duration(value))

/** Work that ended in the chosen time. The last answer stays with its own time until there is one for another time. */
function useWork(chosen: number) {
  const path = chosen > 0 ? (`/workers/activity?days=${chosen}` as const) : '/workers/activity'
  const { value, of } = usePolled(path, EVERY_MS)
  const answer = useRef<{ days: number; minutes: Minutes | null }>({ days: 0, minutes: null })
  if (value && of === path) answer.current = { days: chosen, minutes: (chosen > 0 ? value.spans : value.minutes) ?? [] }
  return answer.current
}

/** `minutes`: of `days`, 0 for the last hour; null until they are read */
function OfWork({ samples, days, minutes }: { samples: readonly Sample[]; days: number; minutes: Minutes | null }) {
  const sound = (share: number) => quantileOf(samples, 'studio_http_first_byte_seconds', share, { route: SOUND_ROUTES })
  const [made, failed] = [sum(minutes?.map(({ done }) => done) ?? []), sum(minutes?.map((one) => one.failed) ?? [])]
  const count = (value: number) => (minutes === null ? strings.none : grouped(value))
  const when = rangeOf(days)
  const held = totalOf(samples, 'studio_tasks', { phase: ['offered', 'loading', 'running', 'delivering'] })
  const waiting = totalOf(samples, 'studio_queue_tasks')
  const late = sound(0.95)
  return (
    <>
      <Tile
        name={strings.firstSound}
        value={seconds(sound(0.5))}
        detail={late === null ? strings.noSound : strings.within(duration(late))}
        href="#/speak"
      />
      <Tile name={strings.made} when={when} value={count(made)} detail={strings.tasks(made)} href="#/jobs?state=done" />
      <Tile
        name={jobs.groups.failed}
        when={when}
        value={count(failed)}
        detail={strings.share(percent(made + failed > 0 ? failed / (made + failed) : 0))}
        href="#/jobs?state=failed"
      />
      <Tile name={strings.running} when={strings.now} value={grouped(held)} detail={strings.waiting(waiting)} href="#/jobs/work" />
    </>
  )
}

function OfMachines({ live, samples }: { live: Live; samples: readonly Sample[] }) {
  const machines = [{ id: 'local', name: shared.thisMachine }, ...(live.fleet?.workers ?? [])]
  const rows = machines
    .map(({ id, name }) => ({
      id,
      name,
      count: totalOf(samples, 'studio_attempt_duration_seconds_count', { worker: id }),
      median: quantileOf(samples, 'studio_attempt_duration_seconds', 0.5, { worker: id }),
    }))
    .sort((one, other) => other.count - one.count)
    .slice(0, MOST_MACHINES)
  return (
    <section class="figure" aria-label={strings.machines}>
      <div class="row">
        <h2>{strings.machines}</h2>
        <small>{strings.aPiece}</small>
      </div>
      <ul class="plain">
        {rows.map(({ id, name, count, median }) => (
          <li key={id} class="row">
            <a class="grow text one-line" href={`#/machines/${encodeURIComponent(id)}`}>
              {name}
            </a>
            <small class="number">{strings.tasks(count)}</small>
            <b class="number">{seconds(median)}</b>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Health({ live }: { live: Live }) {
  const samples = useFigures()
  const [days, setDays] = useState(0)
  const work = useWork(days)
  const own = usePolled('/workers/local', EVERY_MS).value
  const load = usePolled('/sysinfo', EVERY_MS).value
  const notices = usePolled('/system/notifications', EVERY_MS)
  const storage = usePolled('/api/settings/storage?refresh=false', SLOW_MS).value
  const doctor = usePolled('/system/diagnose?network=false', SLOW_MS).value
  const authority = usePolled('/workers/authority', SLOW_MS).value
  const backup = usePolled('/api/settings/db-backup', SLOW_MS).value
  const known: Known = {
    notices: notices.value?.notifications ?? null,
    checks: doctor?.checks ?? null,
    storage,
    machines: live.fleet?.workers ?? [],
    expiresAt: authority?.expires_at ?? null,
  }
  const now = Date.now() / 1000
  const facts = factsOf(known, now)
  const [worst] = facts
  const isKnown = known.notices !== null && known.checks !== null && storage !== null
  const gpus = own && 'gpus' in own.host ? own.host.gpus : []
  const card = gpus.reduce((sum, one) => sum + one.memory_bytes, 0)
  const used = card - gpus.reduce((sum, one) => sum + one.free_memory_bytes, 0)
  const [volume] = storage?.volumes ?? []
  const loaded = own?.resident_models?.length ?? 0
  return (
    <div class="health" aria-busy={samples === null}>
      <div class="row">
        <p class={`state ${worst ? (worst.isBad ? 'bad' : 'warn') : isKnown ? 'good' : ''}`} role="status">
          <Icon of={worst ? 'warning' : isKnown ? 'check' : 'clock'} />
          {worst ? (
            <a class="text" href={worst.href}>
              {worst.text}
            </a>
          ) : (
            <span>{isKnown ? strings.allWell : strings.reading}</span>
          )}
          {facts.length > 1 && <span class="soft">{strings.more(facts.length - 1)}</span>}
        </p>
        <span class="spread"></span>
        <a class="button" href="#/settings/doctor">
          <Icon of="check" />
          {strings.doctor}
        </a>
      </div>
      {notices.error && (
        <p class="callout bad text" role="alert">
          {notices.error}
        </p>
      )}
      <div class="figures">
        <OfWork samples={samples ?? []} {...work} />
        <Tile
          name={card > 0 ? strings.gpuMemory : strings.memory}
          when={strings.now}
          value={
            card > 0
              ? strings.of(bytes(used), bytes(card))
              : load
                ? strings.of(bytes(load.ram * GIB), bytes(load.total_ram * GIB))
                : strings.none
          }
          detail={card > 0 || !load ? strings.models(loaded) : strings.processor(percent(load.cpu / 100))}
          href="#/models/installed"
        />
        <Tile
          name={strings.disk}
          when={strings.now}
          value={volume ? bytes(volume.free_bytes) : strings.none}
          detail={volume ? strings.free(bytes(volume.free_bytes), bytes(volume.total_bytes)) : ''}
          href="#/settings/storage"
        />
        <Tile
          name={strings.certificates}
          when={strings.now}
          value={authority ? strings.days(daysUntil(authority.expires_at, now)) : strings.none}
          detail={strings.renew}
          href="#/machines/security"
        />
        <Tile
          name={strings.checks}
          when={strings.now}
          value={doctor ? `${doctor.summary.passed}/${doctor.checks.length}` : strings.none}
          detail={doctor ? strings.passed(doctor.summary.passed, doctor.checks.length) : ''}
          href="#/settings/doctor"
        />
      </div>
      <div class="figures wide-figures">
        <div class="of-activity">
          <ActivityOfDays chosen={days} days={work.days} minutes={work.minutes ?? []} onDays={setDays} />
        </div>
        <OfMachines live={live} samples={samples ?? []} />
        <Tile
          name={strings.backups}
          when={strings.now}
          value={backup?.latest ? exact(backup.latest.created_at).slice(0, 10) : strings.none}
          detail={
            backup?.latest ? strings.backedUp(exact(backup.latest.created_at).slice(11), bytes(backup.latest.size_bytes)) : strings.noBackup
          }
          href="#/settings/storage"
        />
      </div>
    </div>
  )
}
