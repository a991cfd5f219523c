// The models by what a person wants to do: which one to offer for each kind of work, and which suit a machine together.

import { post } from '#control-plane/web/lib/api.ts'
import type { ModelEntry } from '#control-plane/web/lib/api-types.ts'
import type { IconName } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/system/models.ts'
import type { Room } from '../setup/fit.ts'
import { fitOf, obstacleOf } from '../setup/fit.ts'

export type JobKind = keyof typeof strings.job
/** In the order of the cards. role: any model of it does this work; null where only those that are offered for it do */
export const JOBS: readonly { kind: JobKind; icon: IconName; tint: number; role: ModelEntry['role'] | null }[] = [
  { kind: 'speech', icon: 'speak', tint: 1, role: 'TTS' },
  { kind: 'cloning', icon: 'voice', tint: 2, role: null },
  { kind: 'recognition', icon: 'captions', tint: 4, role: 'ASR' },
  { kind: 'speakers', icon: 'person', tint: 3, role: 'Diarisation' },
  { kind: 'background', icon: 'volume', tint: 7, role: 'Separation' },
  { kind: 'translation', icon: 'draft', tint: 5, role: 'Translation' },
]

/** The model of a card: an installed one, one that is on its way, else the first that fits and has no licence to accept, that fits, or any. */
export function modelFor(
  { kind, role }: (typeof JOBS)[number],
  models: readonly ModelEntry[],
  room: Room,
  isComing: (model: ModelEntry) => boolean,
): ModelEntry | null {
  const offered = models.filter((one) => one.offered_for.includes(kind))
  const all = role === null ? offered : models.filter((one) => one.role === role)
  const usable = offered.filter((one) => obstacleOf(one, room) === '')
  const fitting = usable.filter((one) => fitOf(one, room) === 'fits')
  return (
    offered.find(({ installed }) => installed) ??
    all.find(({ installed }) => installed) ??
    all.find(isComing) ??
    fitting.find(({ gated, card }) => !gated && !card) ??
    fitting[0] ??
    usable[0] ??
    offered[0] ??
    null
  )
}

/** Models that suit a machine with or without a graphics card, without those whose licence a person must accept one by one. */
export const bundleOf = (models: readonly ModelEntry[], hasCard: boolean, room: Room): ModelEntry[] =>
  models.filter(
    (one) =>
      one.curated_on?.includes(hasCard ? 'gpu' : 'cpu') === true &&
      !one.gated &&
      !one.card &&
      (one.installed || obstacleOf(one, room) === ''),
  )

/** One after the other, in their order. Throws why the studio refuses one; those before it are on their way. */
export async function installBundle(models: readonly ModelEntry[], target: string) {
  for (const { repo_id } of models) await post('/models/install', { repo_id, target })
}

/** A licence in one phrase. */
export function licencePhrase(licence: string): string {
  if (/-NC\b|scientific/i.test(licence)) return strings.licences.nonCommercial
  return licence === 'see repository' ? strings.licences.page : licence
}
