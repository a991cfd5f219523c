// The transcripts that the studio still has, to open them again in this or another browser.
import { jobName } from '#control-plane/web/frame/active-jobs.ts'
import { ago, exact } from '#control-plane/web/lib/format.ts'

import { useRead } from '#control-plane/web/lib/read.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/transcribe.ts'

const SHOWN = 20
/** The studio keeps a transcript for a week. */
const KEPT_SECONDS = 7 * 24 * 3600

/** Nothing is shown while there are none. */
export function Earlier() {
  const { value, error } = useRead(`/jobs?type=transcription&status=done&limit=${SHOWN}`)
  const kept = (value ?? []).filter(({ created_at: at }) => at > Date.now() / 1000 - KEPT_SECONDS)
  if (error)
    return (
      <p class="callout bad text" role="alert">
        {strings.earlierError(error)}
      </p>
    )
  if (kept.length === 0) return null
  return (
    <section aria-label={strings.earlier}>
      <div class="row region">
        <h2>{strings.earlier}</h2>
        <span class="soft">{strings.earlierHint}</span>
      </div>
      <ul class="recent">
        {kept.map((job) => (
          <li key={job.id}>
            <span class="kind k4">
              <Icon of="captions" />
            </span>
            <a class="text one-line" dir="auto" href={`#/transcribe/${encodeURIComponent(job.id)}`}>
              {jobName(job)}
            </a>
            <span class="soft"></span>
            <span class="state good">
              <Icon of="check" />
              {strings.done}
            </span>
            <time class="caption" dateTime={new Date(job.created_at * 1000).toISOString()} title={exact(job.created_at)}>
              {ago(job.created_at)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}
