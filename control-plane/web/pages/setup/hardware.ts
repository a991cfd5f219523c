// The hardware of a machine in words. Pure.
import type { MachineView } from '#control-plane/web/lib/api-types.ts'
import { bytes } from '#control-plane/web/lib/format.ts'
import { systemName } from '#control-plane/web/lib/names.ts'
import { strings } from '#messages/start/setup.ts'

type KnownHost = Extract<MachineView['host'], { hostname: string }>

export type Hardware = {
  /** '' without a usable graphics card */
  card: string
  /** bytes of its memory, '' without one */
  cardMemory: string
  cores: string
  system: string
}

/** null: a machine that never connected, or is not read yet */
export function hardwareOf(machine: Pick<MachineView, 'host'> | null): Hardware | null {
  const host = machine?.host as Partial<KnownHost> | undefined
  if (!host?.cpu_count) return null
  const { gpus: [gpu] = [], cpu_count: cores, system_memory_bytes: memory = 0, os = '', arch = '' } = host
  return {
    card: gpu?.model ?? '',
    cardMemory: gpu ? bytes(gpu.memory_bytes) : '',
    cores: strings.coresAndMemory(cores, bytes(memory)),
    system: [systemName(os), arch].filter(Boolean).join(', '),
  }
}
