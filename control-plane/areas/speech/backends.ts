// The text-to-speech engines by their public ids, and what the connected machines say about each.
import { NATIVE, TTS } from '../engines/known.ts'

/** What a connected machine says it can do; the part of a description that this area needs. */
export type Offered = {
  readonly workerId: string
  readonly engine: string
  readonly model: string
  readonly operation: string
  readonly implementation: string
  readonly stands_in: string
  readonly languages: readonly string[]
  readonly voices: readonly { readonly id: string; readonly name: string; readonly language: string }[]
  readonly cloning: boolean
  readonly supported: boolean
  readonly installed: boolean
  readonly downloaded: boolean
  readonly device: string
  readonly sample_rate: number
}

const ALIASES = ['tts-1', 'tts-1-hd']

/** `selected`: what the aliases mean, the engine that was chosen for speech. */
export const engineOf = (model: string, selected: string = NATIVE): string => (ALIASES.includes(model) ? selected : model)
export const isKnown = (engine: string): boolean => TTS.some(({ id }) => id === engine)
export const modelNames = (offered: readonly Offered[]): string[] => [
  ...ALIASES,
  ...TTS.map(({ id }) => id),
  ...new Set(offered.filter(({ engine, operation }) => operation === 'tts' && !isKnown(engine)).map(({ engine }) => engine)),
]
export const speaks = ({ operation, supported, installed }: Offered): boolean => operation === 'tts' && supported && installed
