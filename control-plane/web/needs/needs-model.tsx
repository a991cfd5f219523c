// A grey line for a missing model: what it makes possible, its size, whether it fits, and its installation in place.

import { strings } from '#messages/needs.ts'
import { strings as shared } from '#messages/shared.ts'
import { messageOf } from '../lib/api.ts'
import type { ModelEntry, NeedEntry, NeedKind } from '../lib/api-types.ts'
import { Action, Progress } from '../lib/controls.tsx'
import { bytes } from '../lib/format.ts'
import { useEffect, useRef, useState } from '../lib/html.ts'
import { whenOpened } from '../lib/later.tsx'
import { Icon } from '../look/icons.tsx'
import { phaseOf } from '../pages/setup/downloads.ts'
import type { Room } from '../pages/setup/fit.ts'
import { fitOf, obstacleOf, sizeOf } from '../pages/setup/fit.ts'
import { mayAdminister } from '../visitor.ts'
import { cancelInstall, install, type Missing, useMissing } from './store.ts'

const Terms = whenOpened(() => import('../pages/models/terms.tsx').then((module) => module.Terms), { isQuiet: true })

const roomOf = ({ models }: Missing): Room => ({ freeGb: models?.disk_free_gb ?? null, reserveGb: 0, memoryGb: null })

/** The model to offer: one that is on its way, else the first that fits, else the first. */
function offered(need: NeedEntry, missing: Missing): ModelEntry | null {
  const rows = need.models.flatMap(({ repo_id }) => missing.models?.models.filter((one) => one.repo_id === repo_id) ?? [])
  const room = roomOf(missing)
  return (
    rows.find(({ installed }) => installed) ??
    rows.find(({ installing, download }) => installing || (download !== null && download.state !== 'failed')) ??
    rows.find((one) => obstacleOf(one, room) === '') ??
    rows[0] ??
    null
  )
}

/** `of`: what the studio said is missing, or a kind of work, of which nothing is shown unless its model is missing now. */
export function NeedsModel({ of: asked, onInstalled }: { of: NeedEntry | NeedKind; onInstalled?: () => unknown }) {
  const missing = useMissing()
  const [isAsking, setAsking] = useState(false)
  const [refusal, setRefusal] = useState('')
  const wasMissing = useRef(false)
  const need = typeof asked === 'string' ? (missing.needs?.find((one) => one.for === asked) ?? null) : asked
  const model = need && offered(need, missing)
  const isInstalled = missing.models !== null && (need === null || model?.installed === true)
  useEffect(() => {
    if (need && model && !model.installed) wasMissing.current = true
    if (!isInstalled || !wasMissing.current) return
    wasMissing.current = false
    void onInstalled?.()
  }, [isInstalled, need, model])
  const [first] = need?.models ?? []
  if (!need || !first || isInstalled || (typeof asked === 'string' && missing.models === null)) return null
  const label = model?.label ?? first.label
  const download = model ? missing.downloads.get(model.repo_id) : undefined
  const phase = model ? phaseOf(model, download) : 'none'
  const isFailed = phase === 'failed' || phase === 'damaged'
  const isComing = phase === 'queued' || phase === 'downloading'
  const room = roomOf(missing)
  const obstacle = model ? obstacleOf(model, room) : ''
  const fitting = model ? fitOf(model, room) : 'no'
  const fit = isFailed || fitting === 'no' ? '' : strings[fitting]
  const start = async (isAccepted: boolean) => {
    setAsking(false)
    setRefusal('')
    try {
      await install(model?.repo_id ?? first.repo_id, isAccepted, isFailed)
    } catch (error) {
      setRefusal(messageOf(error))
    }
  }
  const press = async () => (model && (model.gated || model.card) && !model.licence_accepted ? setAsking(true) : start(false))
  const size = bytes(model ? sizeOf(model) : first.size_bytes)
  const trouble = refusal || (isFailed ? strings.failed : obstacle)
  return (
    <div class="needs-model" role="group" aria-label={strings.label(strings.needs[need.for], label)} data-needs={need.for}>
      <Icon of="model" />
      <p class="text">
        {strings.needs[need.for]} <b>{label}</b>
        <span class="soft">
          {' · '}
          {isComing && download && download.total > 0 ? strings.progress(bytes(download.done), bytes(download.total)) : size}
          {!isComing && fit && ` · ${fit}`}
          {phase === 'queued' && ` · ${strings.waiting}`}
        </span>
        {trouble && <span role="alert">{` · ${trouble}`}</span>}
        {!mayAdminister && <span> {strings.askOwner}</span>}
      </p>
      {mayAdminister &&
        (isComing ? (
          <Action kind="quiet" aria-label={strings.cancelOf(label)} onPress={() => cancelInstall(model?.repo_id ?? first.repo_id)}>
            {shared.cancel}
          </Action>
        ) : (
          <Action aria-label={isFailed ? undefined : strings.installOf(label)} disabled={obstacle !== ''} onPress={press}>
            {isFailed ? shared.tryAgain : strings.install}
          </Action>
        ))}
      {isComing && (
        <Progress value={download && download.total > 0 ? download.done / download.total : null} label={strings.progressOf(label)} />
      )}
      {isAsking && model && <Terms.View model={model} onAccept={() => start(true)} onClose={() => setAsking(false)} />}
    </div>
  )
}
