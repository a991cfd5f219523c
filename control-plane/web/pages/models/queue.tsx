// The downloads of the machine: the one that runs with its progress, and those that wait, in their order.
import { post } from '#control-plane/web/lib/api.ts'
import type { ModelEntry } from '#control-plane/web/lib/api-types.ts'
import { Action, Progress } from '#control-plane/web/lib/controls.tsx'
import { bytes, remaining } from '#control-plane/web/lib/format.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/models.ts'
import type { Download } from '../setup/downloads.ts'
import { phaseOf } from '../setup/downloads.ts'
import { GB, sizeOf } from '../setup/fit.ts'
import { cancelInstall } from './model.tsx'

/** A download that is newer than the list is the last one. */
const positionOf = ({ download }: ModelEntry) => download?.position ?? Number.MAX_SAFE_INTEGER

/** Models that are being installed, the running one first. */
export const queueOf = (models: readonly ModelEntry[], downloads: ReadonlyMap<string, Download>) =>
  models
    .filter((model) => ['queued', 'downloading'].includes(phaseOf(model, downloads.get(model.repo_id))))
    .sort((one, other) => positionOf(one) - positionOf(other))

/** Bytes of all that are still to come. */
const missingBytes = (queue: readonly ModelEntry[], downloads: ReadonlyMap<string, Download>) =>
  queue.reduce((sum, model) => {
    const now = downloads.get(model.repo_id)
    return sum + (now && now.total > 0 ? now.total - now.done : sizeOf(model))
  }, 0)

function Waiting({
  model: { repo_id, label, size_gb: size },
  at,
  download,
  target,
  onChanged,
}: {
  model: ModelEntry
  at: number
  target: string
  download: Download | undefined
  onChanged: () => Promise<unknown>
}) {
  const cancel = async () => {
    await cancelInstall(repo_id, target)
    await onChanged()
  }
  const next = async () => {
    await post('/models/install/next', { repo_id, target })
    await onChanged()
  }
  const { done, total } = download ?? { done: 0, total: 0 }
  const share = total > 0 ? done / total : null
  return (
    <li class="offered" data-download={repo_id}>
      <span class="kind k7">
        <Icon of={at === 0 ? 'download' : 'clock'} />
      </span>
      <span class="grow">
        <b class="text one-line">{label}</b>
        {at === 0 ? <Progress value={share} label={strings.progressOf(label)} /> : null}
        <small class="number">
          {at === 0
            ? total > 0
              ? strings.arrived(bytes(done), bytes(total))
              : download?.note || strings.starting
            : strings.waits(at, bytes(size * GB))}
        </small>
      </span>
      {at > 1 && (
        <Action kind="quiet icon-only" aria-label={strings.nextOf(label)} title={strings.next} onPress={next}>
          <Icon of="up" />
        </Action>
      )}
      <Action kind="quiet icon-only" aria-label={strings.cancelOf(label)} title={shared.cancel} onPress={cancel}>
        <Icon of="close" />
      </Action>
    </li>
  )
}

/** Nothing is shown while nothing is downloaded. */
export function Queue({
  models,
  downloads,
  target,
  onChanged,
}: {
  models: readonly ModelEntry[]
  downloads: ReadonlyMap<string, Download>
  target: string
  onChanged: () => Promise<unknown>
}) {
  const queue = queueOf(models, downloads)
  const [first] = queue
  if (!first) return null
  const rate = downloads.get(first.repo_id)?.rate ?? 0
  const left = missingBytes(queue, downloads)
  return (
    <section class="sheet queue" aria-label={strings.downloads}>
      <div class="row">
        <h2>{strings.downloads}</h2>
        <span class="spread"></span>
        <small class="number">
          {strings.queue(
            queue.length,
            bytes(left),
            rate > 0 ? strings.rate(bytes(rate)) : '',
            rate > 0 ? strings.left(remaining(left / rate)) : '',
          )}
        </small>
      </div>
      <ol class="offers">
        {queue.map((model, at) => (
          <Waiting
            key={model.repo_id}
            model={model}
            at={at}
            download={downloads.get(model.repo_id)}
            target={target}
            onChanged={onChanged}
          />
        ))}
      </ol>
    </section>
  )
}
