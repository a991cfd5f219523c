// Decides whether a model fits a machine. Pure.

import type { MachineView, ModelEntry } from '#control-plane/web/lib/api-types.ts'
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

export type Fit = 'fits' | 'tight' | 'no'

export const GB = 1e9
const GIB = 2 ** 30
/** A fifth more than it needs. */
const SPARE = 1.2

/** Gigabytes that are still to be downloaded. */
const missingGb = ({ size_gb, incomplete, size_on_disk_bytes }: ModelEntry) =>
  Math.max(0, size_gb - (incomplete ? size_on_disk_bytes / GB : 0))

/** Bytes on the disk of an installed model, or bytes to download. */
export const sizeOf = (model: ModelEntry) => (model.installed ? model.size_on_disk_bytes : missingGb(model) * GB)

/** Reason why it cannot be installed; '' when it can. */
export function obstacleOf(model: ModelEntry, { freeGb }: Room) {
  if (!model.supported) return model.platforms?.length ? strings.otherPlatform(model.platforms) : strings.unsupported
  const missing = model.installed ? 0 : missingGb(model)
  return freeGb !== null && missing > freeGb ? strings.diskTooSmall(decimal(missing, 1), decimal(freeGb, 1)) : ''
}

/** Warnings before an installation. */
export function warningsOf(model: ModelEntry, room: Room) {
  const warnings = []
  if (obstacleOf(model, room) === '' && room.freeGb !== null && missingGb(model) + room.reserveGb > room.freeGb)
    warnings.push(strings.diskReserve(room.reserveGb))
  if (room.memoryGb !== null && model.memory_bytes > room.memoryGb * GIB) warnings.push(strings.memoryTooSmall(bytes(room.memoryGb * GIB)))
  return warnings
}

/** Memory and disk with a fifth to spare, without that, or neither. What is unknown of a machine is no obstacle. */
export function fitOf(model: ModelEntry, room: Room): Fit {
  const memory = room.memoryGb === null ? Number.POSITIVE_INFINITY : room.memoryGb * GIB
  const missing = model.installed ? 0 : missingGb(model)
  if (obstacleOf(model, room) !== '' || model.memory_bytes > memory) return 'no'
  const isDiskTight = room.freeGb !== null && Math.max(missing * SPARE, missing + (missing > 0 ? room.reserveGb : 0)) > room.freeGb
  return model.memory_bytes * SPARE > memory || isDiskTight ? 'tight' : 'fits'
}

/** Binary gigabytes of the memory that a model may use: that of the machine, or of its graphics cards. Null while unknown. */
export function memoryGbOf(machine: Pick<MachineView, 'host'> | null): number | null {
  const { system_memory_bytes: memory = 0, gpus = [] } = (machine?.host ?? {}) as Partial<
    Extract<MachineView['host'], { hostname: string }>
  >
  const most = Math.max(
    memory,
    gpus.reduce((sum, gpu) => sum + gpu.memory_bytes, 0),
  )
  return most > 0 ? most / GIB : null
}
