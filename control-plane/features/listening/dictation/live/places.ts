// Chooses the machines for the tasks of a dictation. The target is asked again for each task. A machine that a dictation had to leave does
// not get it back, so that a weak connection does not move it to and fro.

import { type Offer, offersAt, runs } from '#control-plane/inference/offers.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { inSentences } from '#shared/protocol/fields/in-sentences.ts'
import type { ModelNeed } from '#shared/protocol/fields/model-need.ts'
import { canonical } from '../dictation.service.ts'
import { chooseLive } from './recogniser.ts'

/** `detector`: null if no machine detects speech. `notice`: why it is this place or this recogniser; null for what was requested. */
export type LivePlace = {
  readonly recogniser: Offer
  readonly detector: Offer | null
  readonly notice: string | null
  /** The model in whose place this recogniser is used. */
  readonly needs?: ModelNeed
}
export type LivePlaces = ReturnType<typeof createLivePlaces>
export type LiveMachines = {
  readonly offered: () => readonly Offer[]
  /** The machine for dictation: 'local', 'auto' or a worker id. */
  readonly target: () => string
  /** True if a machine is approved and connected. */
  readonly isUsable: (workerId: string) => boolean
  /** Reason why the target is this machine although another one is chosen; null if it is not. */
  readonly fallback: () => string | null
  readonly labelOf: (workerId: string) => string
  /** The model that the owner selected, or the default. */
  readonly chosen: () => string
  /** True if the owner selected it. */
  readonly isChosen: () => boolean
}

/** `model`: the requested one, or ''. */
export function createLivePlaces({ offered, target, isUsable, fallback, labelOf, chosen, isChosen }: LiveMachines, model: string) {
  const left = new Set<string>()
  let newest: { readonly place: LivePlace; readonly target: string } | null = null
  /** Clients send the default by its name, which no one requested. */
  const requested = (): string => (!isChosen() && canonical(model) === chosen() ? '' : model)
  const targetNow = (): string => {
    const wanted = target()
    return left.has(wanted) ? LOCAL : wanted
  }

  function placeAt(to: string, reasons: readonly (string | null)[]): LivePlace {
    const offers = offered().filter(({ workerId }) => isUsable(workerId) && !left.has(workerId))
    // This machine before others that may run it just as well.
    const rank = ({ workerId }: Offer) => (workerId === LOCAL ? 0 : 1)
    const there = offersAt(offers, to).toSorted((one, other) => rank(one) - rank(other))
    const { offer: recogniser, instead, needs } = chooseLive(there, requested(), chosen())
    const notice = inSentences(...reasons, instead) || null
    return { recogniser, detector: detectorFor(offers, recogniser), notice, ...(needs && { needs }) }
  }

  /** The chosen machine if it can do it, otherwise this one. */
  function placeFor(to: string, reason: string | null): LivePlace {
    if (to === LOCAL || to === 'auto') return placeAt(to, [reason])
    try {
      return placeAt(to, [reason])
    } catch (error) {
      const { code } = Failure.from(error)
      if (code !== 'MODEL_NOT_INSTALLED' && code !== 'BAD_REQUEST' && code !== 'NOT_READY') throw error
      return placeAt(LOCAL, [`${labelOf(to)} does not have the recogniser of this dictation, so this machine is used.`])
    }
  }

  /** The place for the next task. Throws what `chooseLive` throws for this machine. */
  function current(): LivePlace {
    const before = newest?.place.recogniser.workerId ?? LOCAL
    if (before !== LOCAL && !isUsable(before)) left.add(before)
    const to = targetNow()
    const lost = left.has(before) ? `${labelOf(before)} can no longer be used, so the dictation goes on without it.` : null
    const place = placeFor(to, fallback() ?? lost)
    newest = { place, target: to }
    return place
  }

  return {
    current,
    /** True if the place is still the right one. Cheap: asked several times a second. */
    isCurrent: (place: LivePlace): boolean =>
      newest?.place === place && newest.target === targetNow() && isUsable(place.recogniser.workerId),
    /** Its machine gets no other task of this dictation. False for this machine, which nothing replaces. */
    giveUp({ recogniser: { workerId } }: LivePlace): boolean {
      if (workerId === LOCAL) return false
      left.add(workerId)
      return true
    },
  }
}

/** Detector on the machine of the recogniser, which receives the audio anyway; otherwise one on this machine. */
function detectorFor(offers: readonly Offer[], { workerId }: Offer): Offer | null {
  const able = offers.filter((offer) => offer.operation === 'vad' && runs(offer))
  return able.find((offer) => offer.workerId === workerId) ?? able.find((offer) => offer.workerId === LOCAL) ?? null
}
