// The text-to-speech engines by their public ids, and what the connected machines say about each.
import type { TtsBackend } from './speech.schema.ts'

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
  readonly device: string
  readonly sample_rate: number
}
type Known = { readonly id: string; readonly name: string; readonly gpu: readonly string[] }

/** The native engine: what `tts-1` means while nothing else was selected. */
export const NATIVE = 'svc-engine'
const KNOWN: readonly Known[] = [
  { id: NATIVE, name: 'Voice Studio engine', gpu: ['cuda', 'webgpu', 'cpu'] },
  { id: 'cosyvoice', name: 'CosyVoice', gpu: ['cuda'] },
  { id: 'kittentts', name: 'KittenTTS', gpu: ['cpu'] },
  { id: 'mlx-audio', name: 'MLX Audio', gpu: ['mps'] },
  { id: 'voxcpm2', name: 'VoxCPM2', gpu: ['cuda'] },
  { id: 'moss-tts-nano', name: 'MOSS-TTS-Nano', gpu: ['cuda', 'cpu'] },
]
/** What speaks for the native engine in the languages that this one lacks on a machine. */
const OTHER_LANGUAGES = 'espeak-ng'
const NOT_HERE = 'No connected machine has this engine installed.'
const ALIASES = ['tts-1', 'tts-1-hd']

export const engineOf = (model: string): string => (ALIASES.includes(model) ? NATIVE : model)
export const isKnown = (engine: string): boolean => KNOWN.some(({ id }) => id === engine)
export const modelNames = (offered: readonly Offered[]): string[] => [
  ...ALIASES,
  ...KNOWN.map(({ id }) => id),
  ...new Set(offered.filter(({ engine, operation }) => operation === 'tts' && !isKnown(engine)).map(({ engine }) => engine)),
]
const codeOf = (tag: string): string => tag.trim().toLowerCase().split(/[-_]/)[0]!
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
/** '' for what is no language tag: machines say what they like. */
const nameOf = (code: string): string => (/^[a-z]{2,3}$/.test(code) ? (names.of(code)?.toLowerCase() ?? '') : '')
/** `language` is a tag or the English name of one. */
const speaksLanguage = ({ languages }: Offered, language: string): boolean =>
  languages.some((code) => code === '*' || code === codeOf(language) || nameOf(code) === language.trim().toLowerCase())

/**
 * Who answers for the native engine in `language`: its own offers where one of them speaks it or nobody does better, otherwise those of
 * espeak-ng, each saying that it stands in.
 */
export function answering(engine: string, language: unknown, offers: readonly Offered[], others: readonly Offered[]): readonly Offered[] {
  const tag = typeof language === 'string' ? language.trim() : ''
  if (engine !== NATIVE || tag === '' || tag.toLowerCase() === 'auto' || offers.some((one) => speaksLanguage(one, tag))) return offers
  const found = others.filter((one) => one.engine === OTHER_LANGUAGES && speaks(one) && speaksLanguage(one, tag))
  return found.length === 0 ? offers : found
}

/** The same offer, saying so when another engine was asked for. */
export const inPlaceOf = (asked: string, offer: Offered | undefined): Offered | undefined =>
  offer && asked !== offer.engine && offer.stands_in === ''
    ? { ...offer, stands_in: `${offer.engine} answers for ${asked}, whose weights for this language are not installed on this machine.` }
    : offer

export const speaks = ({ operation, supported, installed }: Offered): boolean => operation === 'tts' && supported && installed

/** One row for each known engine, and for each that a machine offers besides. */
export function ttsBackends(offered: readonly Offered[]): TtsBackend[] {
  const others = offered
    .filter((one) => speaks(one) && !isKnown(one.engine))
    .map(({ engine }) => ({ id: engine, name: engine, gpu: ['cpu'] }))
  const unique = [...new Map([...KNOWN, ...others].map((row) => [row.id, row])).values()]
  return unique.map((row) => {
    const here = offered.filter((one) => one.engine === row.id && speaks(one))
    const best = here.find(({ stands_in }) => stands_in === '') ?? here[0]
    return {
      id: row.id,
      display_name: row.name,
      available: best !== undefined,
      reason: best ? null : NOT_HERE,
      hint: best?.stands_in || null,
      supports_cloning: best ? best.cloning : null,
      supports_emotion: false,
      install_hint: best && best.stands_in === '' ? '' : 'Installing engines is not part of this version.',
      setup_snippet: '',
      one_click_install: false,
      last_error: null,
      isolation_mode: 'subprocess',
      gpu_compat: [...row.gpu],
      min_vram_gb: null,
      effective_device: best?.device ?? 'none',
      routing_status: routingStatus(best),
      routing_reason: best ? best.stands_in || null : NOT_HERE,
      voices: best ? best.voices.map((voice) => ({ ...voice })) : [],
    }
  })
}

function routingStatus(best: Offered | undefined): TtsBackend['routing_status'] {
  if (!best) return 'unavailable'
  if (best.device !== 'cpu') return 'accelerated'
  return best.stands_in === '' ? 'cpu_only' : 'cpu_fallback'
}
