// The second step: one bundle of models that suits the hardware, installed with one press.
import { post } from '#control-plane/web/lib/api.ts'
import type { EngineFamilies, ModelCatalogue, ModelEntry } from '#control-plane/web/lib/api-types.ts'
import { Action, Progress } from '#control-plane/web/lib/controls.tsx'
import { bytes, duration, remaining } from '#control-plane/web/lib/format.ts'
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/start/setup.ts'
import { strings as models } from '#messages/system/models.ts'
import { bundleOf, installBundle, JOBS, licencePhrase } from '../models/jobs.ts'
import type { Download } from './downloads.ts'
import { phaseOf } from './downloads.ts'
import type { Room } from './fit.ts'
import { sizeOf } from './fit.ts'

type Downloads = ReadonlyMap<string, Download>
const LOCAL = 'local'

const sum = (all: readonly ModelEntry[], of: (model: ModelEntry) => number) => all.reduce((total, one) => total + of(one), 0)
const isComing = (model: ModelEntry, downloads: Downloads) =>
  ['queued', 'downloading'].includes(phaseOf(model, downloads.get(model.repo_id)))
/** Bytes to download, as the machine counts them once it has begun. */
const wholeOf = (model: ModelEntry, downloads: Downloads) => downloads.get(model.repo_id)?.total || sizeOf(model)
const arrivedOf = (model: ModelEntry, downloads: Downloads) => (model.installed ? 0 : (downloads.get(model.repo_id)?.done ?? 0))

function Item({ model, downloads }: { model: ModelEntry; downloads: Downloads }) {
  const { icon, tint } = JOBS.find(({ role }) => role === model.role) ?? { icon: 'model', tint: 8 }
  const phase = phaseOf(model, downloads.get(model.repo_id))
  const licence = licencePhrase(model.licence)
  return (
    <li>
      <span class={`kind k${tint}`}>
        <Icon of={icon} />
      </span>
      <span class="grow">
        <b class="text one-line">{models.roles[model.role] ?? models.roles.other}</b>
        <small class="text one-line">{models.facts([model.label, licence])}</small>
      </span>
      <small class="number">{phase === 'none' || phase === 'partly' ? bytes(sizeOf(model)) : models.phases[phase]}</small>
    </li>
  )
}

/** After an installation here the installed voice is used, unless another one than the basic voice was chosen before. */
function useNewVoice(bundle: readonly ModelEntry[], engines: EngineFamilies | null, onChanged: () => Promise<unknown>) {
  const isWanted = useRef(false)
  const active = engines?.tts.backends.find(({ id }) => id === engines.tts.active)
  const isBasic = Boolean(active && 'hint' in active && active.hint)
  const voice = bundle.find(({ role, installed }) => role === 'TTS' && installed)
  useEffect(() => {
    if (!voice || !isWanted.current || !isBasic || voice.engine === active?.id) return
    isWanted.current = false
    post('/engines/select', { family: 'tts', backend_id: voice.engine })
      .then(() => notify(models.speaksNow(voice.label)))
      .then(onChanged)
      .catch(() => {}) // it can be chosen in Models
  }, [voice?.repo_id, isBasic])
  return () => {
    isWanted.current = true
  }
}

export function Bundle({
  list,
  downloads,
  room,
  hasCard,
  engines,
  onChanged,
}: {
  list: ModelCatalogue | null
  downloads: Downloads
  room: Room
  /** null while unknown */
  hasCard: boolean | null
  engines: EngineFamilies | null
  onChanged: () => Promise<unknown>
}) {
  const [isLight, setLight] = useState(false)
  const network = useRead('/setup/preflight')
  const isOffline = network.value?.checks.some(({ mirror_reachable: isReached }) => isReached === false) ?? false
  const isKnown = list !== null && hasCard !== null
  const kind = hasCard && !isLight ? 'gpu' : 'cpu'
  const all = list?.models ?? []
  const bundle = bundleOf(all, kind === 'gpu', room)
  const wantVoice = useNewVoice(bundle, engines, onChanged)
  const rest = bundle.filter((one) => !one.installed)
  const coming = rest.filter((one) => isComing(one, downloads))
  const waiting = rest.filter((one) => !coming.includes(one))
  const isFailed = waiting.some(({ download }) => download?.state === 'failed')
  const size = sum(rest, (one) => wholeOf(one, downloads))
  const arrived = sum(rest, (one) => arrivedOf(one, downloads))
  const running = coming.map(({ repo_id }) => downloads.get(repo_id)?.rate ?? 0)
  const rate = Math.max(0, ...running) || (list?.download_rate ?? 0)
  const install = async () => {
    wantVoice()
    // A person who asks again does not wait for the pause that follows a failure.
    for (const { repo_id, download } of waiting)
      if (download?.state === 'failed') await post('/models/install/cancel', { repo_id, target: LOCAL })
    await installBundle(waiting, LOCAL)
    await onChanged()
  }
  const cancel = async () => {
    for (const { repo_id } of coming) await post('/models/install/cancel', { repo_id, target: LOCAL })
    await onChanged()
  }
  const other = kind === 'gpu' ? 'cpu' : 'gpu'
  const otherSize = sum(
    bundleOf(all, other === 'gpu', room).filter((one) => !one.installed),
    sizeOf,
  )
  const note = isOffline
    ? strings.offline
    : coming.length > 0
      ? models.facts([
          strings.arrived(bytes(arrived), bytes(size)),
          ...(rate > 0 ? [strings.left(remaining((size - arrived) / rate))] : []),
        ])
      : rate > 0 && size > 0
        ? shared.sentences(strings.chosenFor[kind], strings.about(duration(size / rate), bytes(rate)))
        : shared.sentences(strings.chosenFor[kind], strings.inBackground)
  const isDone = isKnown && bundle.length > 0 && rest.length === 0
  return (
    <section class="sheet step bundle" aria-label={isKnown ? strings.bundles[kind] : strings.bundles.cpu} aria-busy={!isKnown}>
      <span class={isDone ? 'step-mark good' : 'step-mark now'} aria-hidden="true">
        {isDone ? <Icon of="check" /> : '2'}
      </span>
      <div class="row">
        <div class="grow">
          <h2>{isKnown ? strings.bundles[kind] : '\u00a0'}</h2>
          <p class={isOffline ? 'warn-text' : 'soft'} role="status">
            {!isKnown ? shared.loading : isDone ? strings.allInstalled : bundle.length === 0 ? strings.nothingFits : note}
          </p>
        </div>
        {coming.length > 0 && (
          <Action kind="quiet" onPress={cancel}>
            {shared.cancel}
          </Action>
        )}
        {isKnown && coming.length === 0 && rest.length > 0 && (
          <Action kind="main large" onPress={install}>
            <Icon of="download" />
            {isFailed ? strings.again(bytes(size)) : strings.install(bytes(size))}
          </Action>
        )}
      </div>
      <div class="bundle-progress">
        {coming.length > 0 && <Progress value={size > 0 ? arrived / size : null} label={strings.progress} />}
      </div>
      <ul class="bundle-items">
        {bundle.map((one) => (
          <Item key={one.repo_id} model={one} downloads={downloads} />
        ))}
      </ul>
      {waiting.map(
        ({ repo_id, label, download }) =>
          download?.state === 'failed' && (
            <p key={repo_id} class="callout bad text" role="alert">
              {label}: {serverSentence(download.error ?? '')}
            </p>
          ),
      )}
      <p class="row">
        <span class="soft">{strings.or}</span>
        {hasCard === false && <a href="#/machines/add">{strings.borrow}</a>}
        {hasCard && (
          <button type="button" class="link" onClick={() => setLight(!isLight)}>
            {strings.other(strings.bundles[other], bytes(otherSize))}
          </button>
        )}
        <a href="#/models">{strings.choose}</a>
        {hasCard && (
          <>
            <span class="spread"></span>
            <a href="#/machines/add">{strings.borrow}</a>
          </>
        )}
      </p>
    </section>
  )
}
