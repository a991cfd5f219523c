// The effect presets, each a list of filters and at most one compressor.
import { createBiquad, type Filter } from './biquad.ts'
import { type CompressorSettings, createCompressor } from './compressor.ts'
import { chain, type Stage } from './stage.ts'

type Preset = {
  readonly id: string
  readonly label: string
  readonly icon: string
  readonly description: string
  readonly filters: readonly Filter[]
  readonly compressor: CompressorSettings | null
}

const PRESETS: readonly Preset[] = [
  {
    id: 'broadcast',
    label: 'Broadcast',
    icon: '📻',
    description: 'Dense and present, as on the radio',
    filters: [
      { kind: 'high-pass', hz: 80 },
      { kind: 'peak', hz: 250, db: -2, q: 1 },
      { kind: 'peak', hz: 3200, db: 2.5, q: 0.9 },
      { kind: 'high-shelf', hz: 9000, db: 1.5 },
    ],
    compressor: { thresholdDb: -22, ratio: 3.5, attackMs: 4, releaseMs: 90, makeupDb: 5 },
  },
  {
    id: 'cinematic',
    label: 'Cinematic',
    icon: '🎬',
    description: 'Deep and wide, for trailers and narration',
    filters: [
      { kind: 'high-pass', hz: 45 },
      { kind: 'low-shelf', hz: 140, db: 3 },
      { kind: 'peak', hz: 450, db: -2, q: 0.8 },
      { kind: 'high-shelf', hz: 8000, db: 2 },
    ],
    compressor: { thresholdDb: -20, ratio: 2, attackMs: 15, releaseMs: 200, makeupDb: 2.5 },
  },
  {
    id: 'podcast',
    label: 'Podcast',
    icon: '🎙️',
    description: 'Even and close, easy to follow for an hour',
    filters: [
      { kind: 'high-pass', hz: 90 },
      { kind: 'low-shelf', hz: 180, db: 1 },
      { kind: 'peak', hz: 350, db: -2.5, q: 1.1 },
      { kind: 'peak', hz: 4000, db: 2, q: 1 },
    ],
    compressor: { thresholdDb: -24, ratio: 3, attackMs: 8, releaseMs: 140, makeupDb: 5 },
  },
  { id: 'raw', label: 'Raw', icon: '🔇', description: 'The voice exactly as it was made', filters: [], compressor: null },
  {
    id: 'warm',
    label: 'Warm',
    icon: '☀️',
    description: 'Full and soft, with rounded highs',
    filters: [
      { kind: 'high-pass', hz: 55 },
      { kind: 'low-shelf', hz: 240, db: 3 },
      { kind: 'peak', hz: 3000, db: -1.5, q: 0.8 },
      { kind: 'high-shelf', hz: 7000, db: -2.5 },
    ],
    compressor: { thresholdDb: -20, ratio: 2, attackMs: 12, releaseMs: 160, makeupDb: 2 },
  },
  {
    id: 'bright',
    label: 'Bright',
    icon: '✨',
    description: 'Clear and airy, every consonant in front',
    filters: [
      { kind: 'high-pass', hz: 100 },
      { kind: 'low-shelf', hz: 200, db: -2 },
      { kind: 'peak', hz: 5000, db: 2, q: 0.9 },
      { kind: 'high-shelf', hz: 7500, db: 3.5 },
    ],
    compressor: { thresholdDb: -20, ratio: 2, attackMs: 6, releaseMs: 120, makeupDb: 2 },
  },
]

/** The presets in display order. */
export const EFFECT_PRESETS: readonly { id: string; label: string; icon: string; description: string }[] = PRESETS.map(
  ({ id, label, icon, description }) => ({ id, label, icon, description }),
)

/** The stages of a preset, without delay. An unknown id changes nothing. Peaks may exceed [-1, 1]: apply mastering afterwards. */
export function createEffects(presetId: string, sampleRate: number): Stage {
  const preset = PRESETS.find(({ id }) => id === presetId)
  return chain([
    ...(preset?.filters ?? []).map((filter) => createBiquad(filter, sampleRate)),
    ...(preset?.compressor ? [createCompressor(preset.compressor, sampleRate)] : []),
  ])
}
