// @ts-check
// Whether a model fits a machine. Pure.
import { bytes } from '../../lib/format.js'
import { strings } from './strings.js'

/** @import { ModelEntry } from '../../lib/api-types.ts' */
/**
 * @typedef {object} Room of the machine that the list belongs to
 * @property {number | null} freeGb decimal; null while unknown
 * @property {number} reserveGb disk space that must stay free
 * @property {number | null} memoryGb binary; null while unknown
 */

export const GB = 1e9

/** Gigabytes that are still to be downloaded. @param {ModelEntry} model */
const missingGb = ({ size_gb, incomplete, size_on_disk_bytes }) => Math.max(0, size_gb - (incomplete ? size_on_disk_bytes / GB : 0))

/** Bytes on the disk of an installed model, or bytes to download. @param {ModelEntry} model */
export const sizeOf = (model) => (model.installed ? model.size_on_disk_bytes : missingGb(model) * GB)

/** Why it cannot be installed; '' when it can. @param {ModelEntry} model @param {Room} room */
export function obstacleOf(model, { freeGb }) {
  if (!model.supported) return model.platforms?.length ? strings.otherPlatform(model.platforms) : strings.unsupported
  const missing = missingGb(model)
  return freeGb !== null && missing > freeGb ? strings.diskTooSmall(missing.toFixed(1), freeGb.toFixed(1)) : ''
}

/** What to know before installing it. @param {ModelEntry} model @param {Room} room */
export function warningsOf(model, room) {
  const warnings = []
  if (obstacleOf(model, room) === '' && room.freeGb !== null && missingGb(model) + room.reserveGb > room.freeGb)
    warnings.push(strings.diskReserve(room.reserveGb))
  if (room.memoryGb !== null && model.memory_bytes > room.memoryGb * 2 ** 30)
    warnings.push(strings.memoryTooSmall(bytes(room.memoryGb * 2 ** 30)))
  return warnings
}
