// Decides whether a model fits a machine. Pure.

import type { ModelEntry } from '#control-plane/web/lib/api-types.ts'
import { bytes } from '#control-plane/web/lib/format.ts'
import { decimal } from '#messages/language.ts'
import { strings } from '#messages/start/setup.ts'

/** Room of the machine that the list belongs to. */
export type Room = {
  /** decimal; null while unknown */
  freeGb: number | null
  /** disk space that must stay free */
  reserveGb: number
  /** binary; null while unknown */
  memoryGb: number | null
}

export const GB = 1e9

/** Gigabytes that are still to be downloaded. */
const missingGb = ({ size_gb, incomplete, size_on_disk_bytes }: ModelEntry) =>
  Math.max(0, size_gb - (incomplete ? size_on_disk_bytes / GB : 0))

/** Bytes on the disk of an installed model, or bytes to download. */
export const sizeOf = (model: ModelEntry) => (model.installed ? model.size_on_disk_bytes : missingGb(model) * GB)

/** Reason why it cannot be installed; '' when it can. */
export function obstacleOf(model: ModelEntry, { freeGb }: Room) {
  if (!model.supported) return model.platforms?.length ? strings.otherPlatform(model.platforms) : strings.unsupported
  const missing = missingGb(model)
  return freeGb !== null && missing > freeGb ? strings.diskTooSmall(decimal(missing, 1), decimal(freeGb, 1)) : ''
}

/** Warnings before an installation. */
export function warningsOf(model: ModelEntry, room: Room) {
  const warnings = []
  if (obstacleOf(model, room) === '' && room.freeGb !== null && missingGb(model) + room.reserveGb > room.freeGb)
    warnings.push(strings.diskReserve(room.reserveGb))
  if (room.memoryGb !== null && model.memory_bytes > room.memoryGb * 2 ** 30)
    warnings.push(strings.memoryTooSmall(bytes(room.memoryGb * 2 ** 30)))
  return warnings
}
