// The devices that an engine asks for, from the table of engines, so that neither promises what the other does not use.
import { type EngineId, engineRow } from '#shared/engines.ts'

/**
 * Devices for the large graphs of an engine, best first: a list such as 'cuda,cpu', or 'auto' where the table has WebGPU, which every platform reaches
 * in its own way. Small graphs stay on the CPU.
 */
export function devicesOf(id: EngineId): string {
  const devices = engineRow(id)?.gpu ?? ['cpu']
  return devices.includes('webgpu') ? 'auto' : devices.join(',')
}
