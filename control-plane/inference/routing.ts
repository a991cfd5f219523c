// On which device an engine runs, and whether that is the one it wants. The lists of engines, the setup checks and the headers of a
// response use this one rule, so they always agree. Pure.
import { engineRow } from '#shared/engines.ts'
import type { Offer } from './offers.ts'

export type DeviceRouting = {
  readonly effective_device: string
  readonly routing_status: 'accelerated' | 'cpu_only' | 'cpu_fallback'
  /** Null without anything to say. A reason with another status than cpu_fallback names a substitute engine. */
  readonly routing_reason: string | null
}

/** `offers`: what the machine of `used` offers; other offers are ignored. cpu_fallback: the machine and the engine have a GPU in common that is not used. */
export function deviceRouting(used: Offer, offers: readonly Offer[]): DeviceRouting {
  const { device, stands_in, workerId, engine } = used
  const routing_reason = stands_in || null
  if (device !== 'cpu') return { effective_device: device, routing_status: 'accelerated', routing_reason }
  const hasGpu = offers.some((offer) => offer.workerId === workerId && !['cpu', ''].includes(offer.device))
  const wantsGpu = (engineRow(engine)?.gpu ?? []).some((target) => target !== 'cpu')
  if (!hasGpu || !wantsGpu) return { effective_device: 'cpu', routing_status: 'cpu_only', routing_reason }
  return { effective_device: 'cpu', routing_status: 'cpu_fallback', routing_reason: routing_reason ?? 'It could not start on the GPU.' }
}
