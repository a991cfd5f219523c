// The voices on this machine. Each model of this engine is a voice, or several speakers who share a network: `en_GB-aru-medium:03`.

import { type ModelFiles, modelsToFind } from '#agent/engine/seam/model-files.ts'
import { type FilesOf, ownNamesOf } from '#agent/models/manifest.ts'
import { nameOfModel } from '#shared/models/own.ts'
import { type PiperConfig, peekPiperConfig } from './config.ts'

export const PIPER_ID = 'piper'
const GRAPH = '.onnx'
const CONFIG = '.onnx.json'

/** `tag`: such as `en-us`, or '' for a voice that names no language. */
export type PiperVoice = {
  readonly id: string
  readonly name: string
  readonly tag: string
  readonly model: string
  readonly speaker: number
}
export type PiperModel = {
  readonly model: string
  readonly files: ModelFiles
  readonly config: PiperConfig | null
  readonly voices: readonly PiperVoice[]
  /** By another studio: only for a request that names it. */
  readonly isSent: boolean
}

const pathWith = (files: ModelFiles, ending: string): string | null => [...files].find(([name]) => name.endsWith(ending))?.[1] ?? null
export const graphPath = (files: ModelFiles): string | null => pathWith(files, GRAPH)
export const configPath = (files: ModelFiles): string | null => pathWith(files, CONFIG)

/** The models on this machine: those that its owner added, then those of the catalogue in its order, then those that studios sent. */
export const piperModels = (filesOf: FilesOf): PiperModel[] => {
  const { sent } = ownNamesOf(filesOf, PIPER_ID)
  return modelsToFind(filesOf, PIPER_ID).flatMap((model) => {
    const files = filesOf(PIPER_ID, model)
    if (!files || graphPath(files) === null || configPath(files) === null) return []
    const config = peekPiperConfig(configPath(files)!)
    return [{ model, files, config, voices: voicesOf(model, config), isSent: sent.includes(model) }]
  })
}

function voicesOf(model: string, config: PiperConfig | null): PiperVoice[] {
  const [locale = '', ...rest] = nameOfModel(model).split('-')
  const tag = (config?.language?.code ?? config?.espeak?.voice ?? (/^[a-z]{2,3}_[A-Z]{2}$/.test(locale) ? locale : ''))
    .toLowerCase()
    .replaceAll('_', '-')
  const named = (rest.length > 0 ? rest.slice(0, -1).join('-') || rest.join('-') : locale).replaceAll('_', ' ')
  const about = `${tag}${rest.length > 1 ? `, ${rest.at(-1)}` : ''}`
  const voice = (id: string, name: string, speaker: number): PiperVoice => ({ id, name: `${name} (${about})`, tag, model, speaker })
  const speakers = Object.entries(config?.speaker_id_map ?? {}).sort(([, left], [, right]) => left - right)
  if (speakers.length < 2) return [voice(model, named, speakers[0]?.[1] ?? 0)]
  return speakers.map(([speaker, id]) => voice(`${model}:${speaker}`, `${named} ${speaker}`, id))
}

/** ISO 639-1 of a tag; '' for none. Piper names Mandarin as espeak-ng does. */
export const piperLanguage = (tag: string): string => {
  const [short = ''] = tag.split('-')
  return short === 'cmn' ? 'zh' : short
}

/** The voice that a name means: its id, the name of a model for its usual speaker, or the name that people see. */
export function findPiperVoice(requested: string, models: readonly PiperModel[]): PiperVoice | undefined {
  const wanted = requested.trim().toLowerCase()
  const voices = models.flatMap((each) => each.voices)
  const ofModel = models.find(({ model }) => model.toLowerCase() === wanted)
  return (
    voices.find(({ id }) => id.toLowerCase() === wanted) ??
    (ofModel && usualVoice(ofModel)) ??
    voices.find(({ name }) => name.toLowerCase() === wanted)
  )
}

export const usualVoice = ({ voices, config }: PiperModel): PiperVoice =>
  voices.find(({ speaker }) => speaker === (config?.default_speaker_id ?? 0)) ?? voices[0]!

/** The voice of a task that names none, in this language; '' for no language. Undefined where no voice speaks it. */
export function fallbackVoice(tag: string, models: readonly PiperModel[]): PiperVoice | undefined {
  const usual = models.filter(({ isSent }) => !isSent).map(usualVoice)
  const wanted = tag.replaceAll('_', '-')
  if (wanted === '') return usual[0]
  return usual.find((voice) => voice.tag === wanted) ?? usual.find((voice) => piperLanguage(voice.tag) === piperLanguage(wanted))
}
