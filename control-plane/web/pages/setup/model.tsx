// One model of the catalogue: what it is, what it needs, and the buttons to install, cancel and remove it.

import type { ComponentChildren } from 'preact'
import { ApiError, get, messageOf, post, remove } from '#control-plane/web/lib/api.ts'
import type { ModelEntry } from '#control-plane/web/lib/api-types.ts'
import type { Tone } from '#control-plane/web/lib/controls.tsx'
import { Action, Badge, Confirm, Dialog, Progress } from '#control-plane/web/lib/controls.tsx'
import { bytes, remaining } from '#control-plane/web/lib/format.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/start/setup.ts'
import type { Download } from './downloads.ts'
import { pendingDownload, phaseOf } from './downloads.ts'
import type { Room } from './fit.ts'
import { obstacleOf, sizeOf, warningsOf } from './fit.ts'

/** The server refuses: a token, a licence on its page or a mirror without this model. */
const REFUSED = 'MODEL_REF_REJECTED'

const TONES: Readonly<Record<ReturnType<typeof phaseOf>, Tone>> = {
  queued: 'quiet',
  downloading: 'busy',
  failed: 'bad',
  damaged: 'bad',
  installed: 'good',
  partly: 'warn',
  none: 'quiet',
}

function DownloadProgress({ download, label }: { download: Download; label: string }) {
  const { done, total, rate, eta, files, allFiles, note, target } = download
  const isKnown = total > 0
  return (
    <div class="fetching" role="group" aria-label={strings.progressOf(label)}>
      <Progress value={isKnown ? done / total : null} label={strings.progressOf(label)} />
      <p class="soft">
        {isKnown && <span>{strings.progress(bytes(done), bytes(total), files, allFiles)}</span>}
        {isKnown && rate > 0 && <span>{strings.rate(bytes(rate))}</span>}
        {eta !== null && eta > 0 && <span>{strings.remaining(remaining(eta))}</span>}
        {target !== 'local' && <span>{strings.elsewhere}</span>}
        {note && (
          <>
            {' '}
            <span class="text">{note}</span>
          </>
        )}
      </p>
    </div>
  )
}

function Licence({ model, onAccept, onClose }: { model: ModelEntry; onAccept: () => Promise<void>; onClose: () => void }) {
  return (
    <Dialog title={strings.licenceTitle} onClose={onClose}>
      <p class="text clip">{model.label}</p>
      <p>
        {strings.licenceBefore}
        <strong class="text">{model.licence}</strong>
        {strings.licenceAfter}
      </p>
      <p class="mono">{model.repo_id.split(':')[0]}</p>
      <footer>
        <button type="button" onClick={onClose}>
          {shared.cancel}
        </button>
        <Action kind="main" onPress={onAccept}>
          {strings.accept}
        </Action>
      </footer>
    </Dialog>
  )
}

/** The licence card of a model, as its publisher wrote it. It can be accepted once it is shown. */
function Card({ model, onAccept, onClose }: { model: ModelEntry; onAccept: () => Promise<void>; onClose: () => void }) {
  const [card, setCard] = useState<string | null>(null)
  const [error, setError] = useState('')
  const read = async (signal: AbortSignal | undefined) => {
    setError('')
    try {
      const path = `/models/card?repo_id=${encodeURIComponent(model.repo_id)}` as `/models/card?${string}`
      setCard((await get(path, signal)).card)
    } catch (error) {
      if (!signal?.aborted) setError(messageOf(error))
    }
  }
  useEffect(() => {
    const leaving = new AbortController()
    void read(leaving.signal)
    return () => leaving.abort()
  }, [])
  return (
    <Dialog title={strings.cardTitle} onClose={onClose}>
      <p class="text clip">{model.label}</p>
      <p>{strings.cardNote}</p>
      {card !== null && (
        <pre class="code text" dir="auto" tabindex={0} aria-label={strings.cardTitle}>
          {card}
        </pre>
      )}
      {card === null && error === '' && (
        <p class="soft" role="status">
          {shared.loading}
        </p>
      )}
      {error && (
        <p class="callout bad text" role="alert">
          {error}{' '}
          <button type="button" class="quiet" onClick={() => read(undefined)}>
            {shared.tryAgain}
          </button>
        </p>
      )}
      <footer>
        <button type="button" onClick={onClose}>
          {shared.cancel}
        </button>
        <Action kind="main" disabled={card === null} onPress={onAccept}>
          {strings.accept}
        </Action>
      </footer>
    </Dialog>
  )
}

type Terms = { model: ModelEntry; onAccept: () => Promise<void>; onClose: () => void }
/** The conditions of a model, before its download. */
export const Terms = (props: Terms) => (props.model.card ? <Card {...props} /> : <Licence {...props} />)

const Facts = ({ model }: { model: ModelEntry }) => (
  <p class="marks soft">
    <span>{model.installed ? strings.onDisk(bytes(sizeOf(model))) : strings.toDownload(bytes(sizeOf(model)))}</span>
    {model.memory_bytes > 0 && <span>{strings.memoryUse(bytes(model.memory_bytes))}</span>}
    {!model.own && <span class="text">{strings.licence(model.licence)}</span>}
    {model.own ? <span>{strings.addedFromFiles}</span> : !model.pinned && <span>{strings.unpinned}</span>}
    <span class="mono text clip">{model.repo_id}</span>
  </p>
)

export const cancelInstall = (repo_id: string) => post('/models/install/cancel', { repo_id })

/** `badges`, `actions`: what the page of the model adds. */
export function Model({
  model,
  download,
  room,
  onChanged,
  badges,
  actions,
}: {
  model: ModelEntry
  download: Download | undefined
  room: Room
  onChanged: () => Promise<unknown>
  badges?: ComponentChildren
  actions?: ComponentChildren
}) {
  const [question, setQuestion] = useState<'' | 'licence' | 'removal'>('')
  const [refusal, setRefusal] = useState('')
  const { repo_id, label } = model
  const close = () => setQuestion('')
  const phase = phaseOf(model, download)
  const isDownloading = phase === 'queued' || phase === 'downloading'
  const isFailed = phase === 'failed' || phase === 'damaged'
  const obstacle = obstacleOf(model, room)
  const install = async (accept_licence: boolean) => {
    close()
    setRefusal('')
    try {
      // A person who asks again does not wait for the pause that follows a failure.
      if (isFailed) await cancelInstall(repo_id)
      await post('/models/install', { repo_id, accept_licence })
      await onChanged()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setRefusal(messageOf(error))
    }
  }
  const press = async () => (model.gated && !model.licence_accepted ? setQuestion('licence') : install(false))
  const cancel = async () => {
    await cancelInstall(repo_id)
    await onChanged()
  }
  const uninstall = async () => {
    await remove(`/models/${encodeURIComponent(repo_id)}`)
    await onChanged()
  }
  const action = strings.install(isFailed ? phase : model.incomplete ? 'partly' : 'none', bytes(sizeOf(model)))
  const error = refusal || (isFailed && model.download?.error)
  return (
    <li class="model" data-model={repo_id}>
      <div class="row">
        <h3 class="text clip">{label}</h3>
        <Badge tone={TONES[phase]}>{strings.phases[phase]}</Badge>
        {model.required && !model.installed && <Badge tone="warn">{strings.defaultVoice}</Badge>}
        {badges}
        <span class="spread"></span>
        {!model.installed && !isDownloading && (
          <Action disabled={obstacle !== ''} aria-label={strings.actionFor(action, label, repo_id)} onPress={press}>
            {action}
          </Action>
        )}
        {isDownloading && (
          <Action aria-label={strings.actionFor(shared.cancel, label, repo_id)} onPress={cancel}>
            {shared.cancel}
          </Action>
        )}
        {(model.installed || model.incomplete) && !isDownloading && (
          <>
            {actions}
            <button
              type="button"
              class="danger"
              aria-label={strings.actionFor(shared.remove, label, repo_id)}
              onClick={() => setQuestion('removal')}
            >
              {shared.remove}
            </button>
          </>
        )}
      </div>
      <Facts model={model} />
      {model.note && <p class="text clip">{model.note}</p>}
      {phase === 'queued' && <p class="soft">{strings.queuedBehind(Math.max(1, model.download?.position ?? 1))}</p>}
      {phase === 'downloading' && <DownloadProgress download={download ?? pendingDownload(strings.waiting)} label={label} />}
      {obstacle && !model.installed && (
        <p class="soft">
          <strong>{strings.cannotInstall}</strong>
          <span class="text">{obstacle}</span>
          {model.supported && (
            <>
              {' '}
              <a href="#/settings/storage">{strings.manageStorage}</a>
            </>
          )}
        </p>
      )}
      {!model.installed &&
        !isDownloading &&
        warningsOf(model, room).map((warning) => (
          <p key={warning} class="soft">
            {warning}
          </p>
        ))}
      {error && (
        <p class="callout bad text" role="alert">
          {error}
          {isFailed && model.download?.code === REFUSED && (
            <>
              {' '}
              <a href="#/settings/engines">{strings.modelServer}</a>
            </>
          )}
        </p>
      )}
      {question === 'licence' && <Terms model={model} onAccept={() => install(true)} onClose={close} />}
      {question === 'removal' && (
        <Confirm title={strings.removeTitle} action={shared.remove} onClose={close} onYes={uninstall}>
          <p class="text clip">{label}</p>
          <p>{strings.removeWarning(bytes(model.size_on_disk_bytes))}</p>
        </Confirm>
      )}
    </li>
  )
}
