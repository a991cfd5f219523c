// The dubs, newest first, and the way to a new one.

import { post, remove } from '#control-plane/web/lib/api.ts'
import type { Gets } from '#control-plane/web/lib/api-types.ts'
import { Action, Confirm, Field, fieldValue, Progress } from '#control-plane/web/lib/controls.tsx'
import { ago, bytes, exact, percent, soundLength } from '#control-plane/web/lib/format.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { notify, reportFailure } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { DropZone } from '#control-plane/web/look/drop-zone.tsx'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/dub.ts'
import { list } from '#messages/language.ts'
import { strings as shared } from '#messages/shared.ts'
import { forgetDraft } from './draft.ts'
import { languageName } from './languages.ts'
import { beginAfterUpload, cancelUpload, sendFilm, useUpload } from './upload.ts'

export type DubRow = Gets['/dub/summaries'][number]

/** Limit of the route's list. */
const MOST_LISTED = 1000
/** Limit of the route. */
const MOST_BYTES = 50 * 1024 ** 3
/** Types of every format; the escapes keep tools from reading a comment. */
const FILMS = 'video/\u002a,audio/\u002a,.mkv,.ts,.avi'

const OwnAsked = whenOpened(() => import('../dub-start/asked.tsx').then(({ Asked }) => Asked), { isQuiet: true })

const open = (id: string) => {
  location.hash = `#/dub/${encodeURIComponent(id)}`
}

function take(file: File | undefined) {
  if (!file) return
  if (file.size > MOST_BYTES) return notify(strings.tooLarge, 'error')
  sendFilm(file)
}

/** A film on the Internet. */
function FromAddress() {
  const [url, setUrl] = useState('')
  const send = async () => {
    const { job_id: id } = await post('/dub/ingest-url', { url: url.trim() })
    open(id)
  }
  return (
    <div class="row from-address">
      <Field label={strings.address}>
        <input
          type="url"
          value={url}
          placeholder={strings.addressExample}
          maxlength={8000}
          onInput={(event: Event) => setUrl(fieldValue(event))}
        />
      </Field>
      <Action disabled={url.trim() === ''} onPress={send}>
        {strings.fetchFilm}
      </Action>
    </div>
  )
}

function NewDub() {
  return (
    <DropZone types={FILMS} label={strings.file} onFile={take}>
      {(choose) => (
        <>
          <span class="kind k3 large">
            <Icon of="film" isLarge />
          </span>
          <p class="lead">{strings.drop}</p>
          <button type="button" class="main" onClick={choose}>
            {strings.choose}
          </button>
          <p class="soft">{strings.formats}</p>
          <FromAddress />
        </>
      )}
    </DropZone>
  )
}

const Sending = ({ name, sent, size }: { name: string; sent: number; size: number }) => (
  <section class="sheet" aria-label={strings.sending}>
    <div class="row">
      <span class="kind k3">
        <Icon of="film" />
      </span>
      <p class="text one-line grow" role="status">
        <strong dir="auto">{name}</strong>
      </p>
      <span class="soft number">{strings.sentOf(bytes(sent), bytes(size))}</span>
      <Action onPress={cancelUpload}>{shared.cancel}</Action>
    </div>
    <Progress value={size === 0 ? null : sent / size} label={strings.sendingShare(percent(size === 0 ? 0 : sent / size))} />
    <p class="soft">{strings.sendingHint}</p>
  </section>
)

const Row = ({ dub, onRemove }: { dub: DubRow; onRemove: () => void }) => {
  const tracks = (JSON.parse(dub.tracks) as string[]).map(languageName)
  const created = new Date(dub.created_at * 1000)
  return (
    <li>
      <span class="kind k3">
        <Icon of="film" />
      </span>
      <a class="text one-line" dir="auto" href={`#/dub/${encodeURIComponent(dub.id)}`}>
        {dub.filename}
      </a>
      <span class="soft one-line">{strings.facts(dub.duration > 0 ? soundLength(dub.duration) : '', dub.segments_count)}</span>
      <span class={`state ${tracks.length > 0 ? 'good' : 'quiet'}`}>
        <Icon of={tracks.length > 0 ? 'check' : 'draft'} />
        <span class="one-line">{tracks.length > 0 ? strings.dubbedIn(list(tracks)) : strings.notSpoken}</span>
      </span>
      <time class="caption" dateTime={created.toISOString()} title={exact(dub.created_at)}>
        {ago(dub.created_at)}
      </time>
      <button
        type="button"
        class="quiet icon-only"
        aria-label={strings.removeNamed(dub.filename)}
        title={strings.removeNamed(dub.filename)}
        onClick={onRemove}
      >
        <Icon of="trash" />
      </button>
    </li>
  )
}

export function Dubs() {
  const upload = useUpload()
  const list = useRead('/dub/summaries')
  const [doomed, setDoomed] = useState<DubRow | null>(null)
  useEffect(() => {
    if (upload.phase !== 'done') return
    const { dub, wanted } = upload
    // The page of the dub has the form again if this is refused.
    const begin = async () => wanted && (await import('../dub-start/choice.ts')).beginDub(dub, wanted)
    begin()
      .catch(reportFailure)
      .finally(() => open(dub))
    cancelUpload()
  }, [upload.phase])
  const removeDub = async () => {
    if (doomed === null) return
    await remove(`/dub/history/${encodeURIComponent(doomed.id)}`)
    forgetDraft(doomed.id)
    await list.again()
  }
  return (
    <div class="dubs">
      {upload.phase === 'sending' ? (
        <>
          <Sending {...upload} />
          <OwnAsked.View wanted={upload.wanted} onStart={beginAfterUpload} />
        </>
      ) : (
        <NewDub />
      )}
      {upload.phase === 'failed' && (
        <p class="callout bad text" role="alert">
          <strong>{strings.notSent}</strong> {upload.error}
        </p>
      )}
      <section aria-label={strings.dubs}>
        <div class="row region">
          <h2>{strings.dubs}</h2>
        </div>
        {list.error && (
          <p class="callout bad text" role="alert">
            {list.error}{' '}
            <button type="button" class="quiet" onClick={list.again}>
              {strings.again}
            </button>
          </p>
        )}
        {list.value === null && list.reading && (
          <div class="waiting" aria-hidden="true">
            {[1, 2].map((one) => (
              <div key={one} class="skeleton"></div>
            ))}
          </div>
        )}
        {list.value?.length === 0 && <p class="soft">{strings.noDubs}</p>}
        <ul class="recent dub-list">
          {list.value?.map((dub) => (
            <Row key={dub.id} dub={dub} onRemove={() => setDoomed(dub)} />
          ))}
        </ul>
        {list.value?.length === MOST_LISTED && <p class="soft">{strings.newestOnly(MOST_LISTED)}</p>}
      </section>
      {doomed && (
        <Confirm title={strings.removeTitle} action={shared.remove} onYes={removeDub} onClose={() => setDoomed(null)}>
          <p class="text">
            <strong dir="auto">{doomed.filename}</strong>
          </p>
          <p>{strings.removeHint}</p>
        </Confirm>
      )}
    </div>
  )
}
