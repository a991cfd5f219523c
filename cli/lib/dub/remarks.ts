// Defects of a dub, in sentences: substitutes, warnings and lines of the studio's answers, and what would make it better.

import type { z } from 'zod'
import type { enginesContracts } from '#control-plane/features/machines/engines/engines.contract.ts'
import type { modelsContracts } from '#control-plane/features/machines/models/models.contract.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { nameOfLanguage } from './languages.ts'

const SHOWN_LINES = 5
const TEXT_CHARS = 40
const US_PER_MINUTE = 60

export type Remarks = ReturnType<typeof createRemarks>
type LineRemark = { readonly start: number; readonly text: string; readonly why: string }

export const countedLines = (count: number): string => (count === 1 ? '1 line' : `${count} lines`)

/** Time as players show it: 1:02:03 or 2:03. */
export function moment(seconds: number): string {
  const whole = Math.floor(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / US_PER_MINUTE) % US_PER_MINUTE, whole % US_PER_MINUTE]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

export function createRemarks() {
  const sentences = new Set<string>()
  const lines = new Map<string, LineRemark[]>()
  return {
    /** A warning, or that something stands in for something else. Equal sentences count once. */
    add: (sentence: string): void => void sentences.add(sentence.trim()),
    /** `what`: a clause that follows "3 lines". */
    addLine(what: string, line: LineRemark): void {
      const known = lines.get(what)
      if (known) known.push(line)
      else lines.set(what, [line])
    },
    countOf: (what: string): number => lines.get(what)?.length ?? 0,
    all(): string[] {
      const grouped = [...lines].map(([what, rows]) => {
        const places = rows.slice(0, SHOWN_LINES).map(({ start, text }) => `${moment(start)} “${shortened(text)}”`)
        const more = rows.length > places.length ? ` and ${rows.length - places.length} more` : ''
        const reasons = [...new Set(rows.map(({ why }) => why))].filter((why) => why !== '').slice(0, SHOWN_LINES)
        return `${countedLines(rows.length)} ${what}: ${places.join(', ')}${more}.${reasons.length > 0 ? ` ${reasons.join(' ')}` : ''}`
      })
      return [...grouped, ...sentences]
    },
  }
}
const shortened = (text: string): string => {
  const letters = [...text.trim()]
  return letters.length <= TEXT_CHARS ? letters.join('') : `${letters.slice(0, TEXT_CHARS).join('')}…`
}

type Models = z.output<typeof modelsContracts.list.reply>['models']
type Engines = z.output<typeof enginesContracts.list.reply>
export type Condition = {
  readonly engines: Engines
  readonly models: Models
  readonly source: string
  readonly targets: readonly string[]
  readonly hasBackground: boolean
}

export type Advice = { readonly gain: string; readonly command: string }
/** Models that would make the dub better than what the studio has. Pure. */
export function advice({ engines, models, source, targets, hasBackground }: Condition): Advice[] {
  const lacks = (id: string) => models.find((model) => model.repo_id === id && !model.installed)
  const has = (role: string) => models.some((model) => model.role === role && model.installed)
  const found: Advice[] = []
  const suggest = (gain: string, id: string): void => {
    const model = lacks(id)
    if (model) found.push({ gain: `${gain} (${model.size_gb} GB)`, command: `${COMMAND} models install ${id}` })
  }
  if (engines.asr.active === 'pocketsphinx')
    suggest('Fewer wrong words, and other languages than English', 'onnx-community/whisper-small_timestamped')
  if (!has('Diarisation')) suggest('Speakers told apart, each with a voice', 'csukuangfj/sherpa-onnx-pyannote-segmentation-3-0')
  if (!hasBackground) suggest('Music and noise kept under the dub without the old voices', 'StemSplitio/htdemucs-onnx:fp16')
  for (const target of targets) {
    const [from, to] = [source, target].map((tag) => tag.split('-')[0]!.toLowerCase())
    if (from === to) continue
    const pair = `Xenova/opus-mt-${from}-${to}`
    const hasPair = models.some((model) => [pair, 'Xenova/m2m100_418M'].includes(model.repo_id) && model.installed)
    if (!hasPair) suggest(`A better translation to ${nameOfLanguage(target)}`, lacks(pair) ? pair : 'Xenova/m2m100_418M')
  }
  const voice = engines.tts.backends.find((engine) => engine.id === engines.tts.active)
  if (voice?.supports_cloning === false && voice.id === 'svc-engine')
    suggest('Natural speech, with the voices of the film', 'dellusional/OmniVoice-ONNX-bidirectional')
  else if (voice?.supports_cloning === false)
    found.push({
      gain: `The voices of the film: an engine that clones voices, which ${voice.display_name} does not`,
      command: `${COMMAND} engines`,
    })
  return found
}
