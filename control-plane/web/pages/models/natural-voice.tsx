// While an embedded voice speaks: the recommended model that sounds natural, with one button to install it and use it from then on.
import { post } from '#control-plane/web/lib/api.ts'
import type { ModelAdvice, ModelEntry } from '#control-plane/web/lib/api-types.ts'
import { Action } from '#control-plane/web/lib/controls.tsx'
import { bytes, percent } from '#control-plane/web/lib/format.ts'
import { useCallback, useEffect, useRef } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { strings } from '#messages/system/models.ts'
import { phaseOf, useDownloads } from '../setup/downloads.ts'
import { GB, obstacleOf, sizeOf } from '../setup/fit.ts'

/**
 * The recommended speech model to offer: an installed one, else the first that needs no consent to a licence and fits. Pure. `active`:
 * the selected engine
 */
export function voiceToOffer(
  advice: ModelAdvice | null,
  models: readonly ModelEntry[],
  { active, freeGb }: { active: string; freeGb: number | null },
) {
  const recommended = (advice?.models ?? []).flatMap(({ repo_id }) =>
    models.filter((one) => one.repo_id === repo_id && one.role === 'TTS' && one.engine !== active),
  )
  const room = { freeGb, reserveGb: 0, memoryGb: null }
  return recommended.find(({ installed }) => installed) ?? recommended.find((one) => !one.gated && obstacleOf(one, room) === '') ?? null
}

/** `active`: the selected engine */
export function NaturalVoice({ active, onChosen }: { active: string; onChosen: () => Promise<unknown> }) {
  const advice = useRead('/setup/recommendations')
  const models = useRead('/models')
  const again = useCallback(() => Promise.all([advice.again(), models.again()]), [])
  const downloads = useDownloads(again)
  /** True if it was installed here, to be used at once. */
  const isWanted = useRef(false)
  const model = voiceToOffer(advice.value, models.value?.models ?? [], { active, freeGb: models.value?.disk_free_gb ?? null })
  const use = async () => {
    if (!model) return
    isWanted.current = false
    await post('/engines/select', { family: 'tts', backend_id: model.engine })
    notify(strings.speaksNow(model.label))
    await onChosen()
  }
  useEffect(() => {
    if (model?.installed && isWanted.current) use().catch(() => {}) // the button stays
  }, [model?.installed])
  if (!model) return <a href="#/models">{strings.seeModels}</a>
  const { repo_id, label } = model
  const download = downloads.get(repo_id)
  const phase = phaseOf(model, download)
  const install = async () => {
    isWanted.current = true
    try {
      await post('/models/install', { repo_id })
    } catch (error) {
      isWanted.current = false
      throw error
    }
    await again()
  }
  if (phase === 'installed')
    return (
      <Action kind="tint" onPress={use}>
        {strings.useVoice(label)}
      </Action>
    )
  if (phase === 'queued' || phase === 'downloading')
    return (
      <>
        <span role="status">
          {strings.installing(label, download && download.total > 0 ? percent(download.done / download.total) : '')}
        </span>{' '}
        <a href="#/models">{strings.show}</a>
      </>
    )
  return (
    <Action kind="tint" onPress={install}>
      {strings.installVoice(label, bytes(sizeOf(model) || model.size_gb * GB))}
    </Action>
  )
}
