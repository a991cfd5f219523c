// @ts-check
// While an embedded voice speaks: the recommended model that sounds natural, with one button to install it and use it from then on.
import { post } from '../../lib/api.js'
import { Action } from '../../lib/controls.js'
import { bytes, percent } from '../../lib/format.js'
import { html, useCallback, useEffect, useRef } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { useRead } from '../../lib/read.js'
import { useDownloads } from '../setup/downloads.js'
import { GB, obstacleOf, sizeOf } from '../setup/fit.js'
import { phaseOf } from '../setup/model.js'
import { strings } from './strings.js'

/** @import { ModelAdvice, ModelEntry } from '../../lib/api-types.ts' */

/**
 * The recommended speech model to offer: an installed one, else the first that needs no consent to a licence and fits. Pure.
 * @param {ModelAdvice | null} advice @param {readonly ModelEntry[]} models @param {{ active: string, freeGb: number | null }} now active: the selected engine
 */
export function voiceToOffer(advice, models, { active, freeGb }) {
  const recommended = (advice?.models ?? []).flatMap(({ repo_id }) =>
    models.filter((one) => one.repo_id === repo_id && one.role === 'TTS' && one.engine !== active),
  )
  const room = { freeGb, reserveGb: 0, memoryGb: null }
  return recommended.find(({ installed }) => installed) ?? recommended.find((one) => !one.gated && obstacleOf(one, room) === '') ?? null
}

/** @param {{ active: string, onChosen: () => Promise<unknown> }} props active: the selected engine */
export function NaturalVoice({ active, onChosen }) {
  const advice = useRead('/setup/recommendations')
  const models = useRead('/models')
  const again = useCallback(() => Promise.all([advice.again(), models.again()]), [])
  const downloads = useDownloads(again)
  /** Whether it was installed here, to be used at once. */
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
  if (!model) return html`<a href="#/setup">${strings.seeModels}</a>`
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
  if (phase === 'installed') return html`<${Action} kind="tint" onPress=${use}>${strings.useVoice(label)}<//>`
  if (phase === 'queued' || phase === 'downloading')
    return html`<span role="status">${strings.installing(label, download && download.total > 0 ? percent(download.done / download.total) : '')}</span> <a href="#/models">${strings.show}</a>`
  return html`<${Action} kind="tint" onPress=${install}>${strings.installVoice(label, bytes(sizeOf(model) || model.size_gb * GB))}<//>`
}
