// One model of the catalogue as a row: what it is, what it needs, and the buttons to install, cancel and remove it.

import type { ComponentChildren } from 'preact'
import { ApiError, messageOf, post, remove } from '#control-plane/web/lib/api.ts'
import type { ModelEntry } from '#control-plane/web/lib/api-types.ts'
import type { Tone } from '#control-plane/web/lib/controls.tsx'
import { Action, Badge, Confirm, Progress } from '#control-plane/web/lib/controls.tsx'
import { bytes, remaining } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/models.ts'
import type { Download } from '../setup/downloads.ts'
import { pendingDownload, phaseOf } from '../setup/downloads.ts'
import type { Fit, Room } from '../setup/fit.ts'
import { fitOf, obstacleOf, sizeOf, warningsOf } from '../setup/fit.ts'
import { licencePhrase } from './jobs.ts'

const Terms = whenOpened(() => import('./terms.tsx').then((module) => module.Terms), { isQuiet: true })

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

const FIT_LOOKS = { fits: ['good', 'check'], tight: ['warn', 'warning'], no: ['', 'failed'] } as const
/** Fits, tight or does not fit; `why`: the reason, for a pointer that rests there */
export function FitMark({ fit, why }: { fit: Fit; why: string }) {
  const [look, icon] = FIT_LOOKS[fit]
  return (
    <span class={`state ${look}`} title={why || undefined}>
      <Icon of={icon} />
      {strings.fits[fit]}
    </span>
  )
}

/** The reasons why it fits a machine badly, or not. */
export const whyOf = (model: ModelEntry, room: Room) => obstacleOf(model, room) || warningsOf(model, room).join(' ')

function DownloadProgress({ download, label }: { download: Download; label: string }) {
  const { done, total, rate, eta, files, allFiles, note } = download
  const isKnown = total > 0
  return (
    <div class="fetching" role="group" aria-label={strings.progressOf(label)}>
      <Progress value={isKnown ? done / total : null} label={strings.progressOf(label)} />
      <p class="soft">
        {isKnown && <span>{strings.progress(bytes(done), bytes(total), files, allFiles)}</span>}
        {isKnown && rate > 0 && <span>{strings.perSecond(bytes(rate))}</span>}
        {eta !== null && eta > 0 && <span>{strings.remaining(remaining(eta))}</span>}
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

/** `target`: the machine; every machine without it */
export const cancelInstall = (repo_id: string, target?: string) =>
  post('/models/install/cancel', target === undefined ? { repo_id } : { repo_id, target })

/** The installation of a model on a machine: its state, what is refused, and the questions before it. */
export function useInstall(model: ModelEntry, download: Download | undefined, target: string, onChanged: () => Promise<unknown>) {
  const [isAsking, setAsking] = useState(false)
  const [refusal, setRefusal] = useState('')
  const { repo_id } = model
  const phase = phaseOf(model, download)
  const isFailed = phase === 'failed' || phase === 'damaged'
  const install = async (accept_licence: boolean) => {
    setAsking(false)
    setRefusal('')
    try {
      // A person who asks again does not wait for the pause that follows a failure.
      if (isFailed) await cancelInstall(repo_id, target)
      await post('/models/install', { repo_id, accept_licence, target })
      await onChanged()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setRefusal(messageOf(error))
    }
  }
  return {
    phase,
    isFailed,
    isDownloading: phase === 'queued' || phase === 'downloading',
    word: strings.installNow[isFailed ? phase : model.incomplete ? 'partly' : 'none'],
    error: refusal || (isFailed ? serverSentence(model.download?.error ?? '') : ''),
    press: async () => ((model.gated || model.card) && !model.licence_accepted ? setAsking(true) : install(false)),
    cancel: async () => {
      await cancelInstall(repo_id, target)
      await onChanged()
    },
    question: isAsking ? <Terms.View model={model} onAccept={() => install(true)} onClose={() => setAsking(false)} /> : null,
  }
}

/** Asks before a model is removed. */
export function Removal({
  model,
  target,
  onChanged,
  onClose,
}: {
  model: ModelEntry
  target: string
  onChanged: () => Promise<unknown>
  onClose: () => void
}) {
  const uninstall = async () => {
    await remove(`/models/${encodeURIComponent(model.repo_id)}?target=${encodeURIComponent(target)}`)
    await onChanged()
  }
  return (
    <Confirm title={strings.removeTitle} action={shared.remove} onClose={onClose} onYes={uninstall}>
      <p class="text clip">{model.label}</p>
      <p>{strings.removeWarning(bytes(model.size_on_disk_bytes))}</p>
    </Confirm>
  )
}

/** `badges`, `actions`: what the page adds to an installed model. */
export function Model({
  model,
  download,
  room,
  target,
  onChanged,
  badges,
  actions,
}: {
  model: ModelEntry
  download: Download | undefined
  room: Room
  target: string
  onChanged: () => Promise<unknown>
  badges?: ComponentChildren
  actions?: ComponentChildren
}) {
  const [question, setQuestion] = useState<'' | 'about' | 'removal'>('')
  const { repo_id, label } = model
  const close = () => setQuestion('')
  const { phase, isFailed, isDownloading, word, error, press, cancel, question: asked } = useInstall(model, download, target, onChanged)
  const obstacle = obstacleOf(model, room)
  const size = bytes(sizeOf(model))
  const phrase = licencePhrase(model.licence)
  return (
    <li class="model" data-model={repo_id}>
      <div class="cells">
        <div class="of-name">
          <h3 class="text clip">{label}</h3>
          {model.required && !model.installed && <small>{strings.defaultVoice}</small>}
          {model.own && <small>{strings.addedFromFiles}</small>}
          {badges}
        </div>
        <span class="of-role soft">{strings.roles[model.role] ?? strings.roles.other}</span>
        <span class="number" title={model.installed ? strings.onDisk(size) : strings.toDownload(size)}>
          <span class="hidden">{strings.columns.size} </span>
          {size}
        </span>
        <span class="number of-memory">
          {model.memory_bytes > 0 && (
            <>
              <span class="hidden">{strings.columns.memory} </span>
              {bytes(model.memory_bytes)}
            </>
          )}
        </span>
        <FitMark fit={fitOf(model, room)} why={whyOf(model, room)} />
        <span class="of-licence">
          {!model.own && (
            <button type="button" class="quiet" aria-label={strings.licenceOf(phrase, label)} onClick={() => setQuestion('about')}>
              <span class="text one-line">{phrase}</span>
            </button>
          )}
        </span>
        <Badge tone={TONES[phase]}>{strings.phases[phase]}</Badge>
        <span class="acts">
          {!model.installed && !isDownloading && (
            <Action disabled={obstacle !== ''} aria-label={strings.actionFor(strings.withSize(word, size), label, repo_id)} onPress={press}>
              {word}
            </Action>
          )}
          {isDownloading && (
            <Action kind="quiet" aria-label={strings.actionFor(shared.cancel, label, repo_id)} onPress={cancel}>
              {shared.cancel}
            </Action>
          )}
          {(model.installed || model.incomplete) && !isDownloading && (
            <>
              {actions}
              <button
                type="button"
                class="quiet"
                aria-label={strings.actionFor(shared.remove, label, repo_id)}
                onClick={() => setQuestion('removal')}
              >
                {shared.remove}
              </button>
            </>
          )}
        </span>
      </div>
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
      {asked}
      {question === 'about' && <Terms.View model={model} onClose={close} />}
      {question === 'removal' && <Removal model={model} target={target} onChanged={onChanged} onClose={close} />}
    </li>
  )
}
