// The tasks that people come for, and whether each works at this moment. Pure.

import type { EngineFamilies, MediaToolStatus, PreflightReply, SetupState } from '#control-plane/web/lib/api-types.ts'
import type { Tone } from '#control-plane/web/lib/controls.tsx'
import { bytes } from '#control-plane/web/lib/format.ts'
import { systemName } from '#control-plane/web/lib/names.ts'
import { list } from '#messages/language.ts'
import { strings as needs } from '#messages/needs.ts'
import { strings } from '#messages/start/setup.ts'

export function summaryOf(checks: PreflightReply['checks']) {
  const count = (wanted: string) => checks.filter(({ status }) => status === wanted).length
  const failed = count('fail')
  return failed > 0 ? strings.checksFailed(failed, checks.length) : strings.checksPassed(count('warn'))
}

type Row = { title: string; tone: Tone; state: string; detail: string }

/** each null until it is read */
export type Found = {
  engines: EngineFamilies | null
  status: SetupState | null
  tools: MediaToolStatus | null
  preflight: PreflightReply | null
}

function familyRow(title: string, family: EngineFamilies[keyof EngineFamilies]): Row {
  const active = family.backends.find(({ id }) => id === family.active)
  const others = family.backends.filter(({ available, id }) => available && id !== family.active).length
  const more = strings.alternatives(others)
  if (!active?.available) {
    const detail = `${active?.needs ? needs.missing[active.needs.for] : (active?.reason ?? strings.noEngine)} ${more}`
    return { title, tone: 'bad', state: strings.states.unavailable, detail }
  }
  // A substitute is described by the hint of a voice, and by the routing reason of the other families.
  const hint = 'hint' in active ? active.hint : null
  const substitute = hint || active.routing_reason
  if (substitute) return { title, tone: 'warn', state: strings.states.basic, detail: `${substitute}${more}` }
  return { title, tone: 'good', state: strings.states.ready, detail: strings.runsOn(active.display_name, active.effective_device) + more }
}

const voiceModelsRow = ({ missing }: SetupState): Row => ({
  title: strings.voiceModels,
  tone: 'warn',
  state: strings.states.missing,
  detail: strings.missing(list(missing.map(({ label }) => label))),
})

const audioFilesRow = ({ ready, tools: { ffmpeg } }: MediaToolStatus): Row => ({
  title: strings.audioFiles,
  tone: ready ? 'good' : 'warn',
  state: ready ? strings.states.ready : strings.states.wavOnly,
  detail: ready ? (ffmpeg.path ?? '') : ffmpeg.ok ? strings.restartForFfmpeg : strings.installFfmpeg,
})

function deviceRow(device: PreflightReply['device']): Row {
  const parts = [device.gpu_device_name ?? `${systemName(device.os)} ${device.arch}`]
  if (device.vram_gb !== null) parts.push(strings.gpuMemory(device.vram_gb))
  parts.push(strings.memory(bytes(device.ram_gb * 2 ** 30)))
  if (device.disk_free_gb !== null) parts.push(strings.freeDisk(device.disk_free_gb))
  return {
    title: strings.thisMachine,
    tone: device.gpu_available ? 'good' : 'quiet',
    state: device.gpu_available ? strings.states.gpu : strings.states.cpu,
    detail: list(parts),
  }
}

export function rowsOf({ engines, status, tools, preflight }: Found): Row[] {
  const rows = []
  if (engines) {
    rows.push(familyRow(strings.speech, engines.tts), familyRow(strings.transcription, engines.asr))
    if (engines.llm.active !== 'off') rows.push(familyRow(strings.languageModel, engines.llm))
    else
      rows.push({
        title: strings.languageModel,
        tone: 'quiet' as Tone,
        state: strings.states.off,
        detail: strings.languageModelOff,
      })
  }
  // The row of speech says what speaks; this one only what the chosen voice lacks.
  if (status && !status.models_ready) rows.push(voiceModelsRow(status))
  if (tools) rows.push(audioFilesRow(tools))
  if (preflight) rows.push(deviceRow(preflight.device))
  return rows
}
