import type { Wire } from '#shared/protocol/generated/wire.ts'

/** An engine without a model that makes a tone. */
export const wireCapability = (fields: Partial<Wire<'Capability'>> = {}): Wire<'Capability'> => ({
  ...{ engine: 'tone', model: '', operation: 'tts', implementation: 'tone', stands_in: '', languages: ['*'], voices: [], cloning: false },
  ...{ supported: true, installed: true, downloaded: true, device: 'cpu', sample_rate: 16_000, permits: 64, model_digest: '' },
  ...{ memory_bytes: 0, continues: false, phones: '', scripts: [], streams: false },
  ...fields,
})

/** A small machine without a graphics card. */
export const wireHost = (fields: Partial<Wire<'Host'>> = {}): Wire<'Host'> => ({
  ...{ hostname: 'scripted', os: 'linux', arch: 'x64', cpu_count: 1, memory_bytes: 2 ** 30, gpus: [], unusable_gpus: [] },
  ...fields,
})

/** A machine without engines. */
export const wireDescription = (fields: Partial<Wire<'Description'>> = {}): Wire<'Description'> => ({
  ...{ agent_version: '0', features: [], host: wireHost(), capabilities: [], generation: 0, instance: '', inventory: 0, protocol: 1 },
  ...fields,
})

/** An idle machine with free memory and disk. */
export const wireSnapshot = (fields: Partial<Wire<'Snapshot'>> = {}): Wire<'Snapshot'> => ({
  ...{ held: [], resident_models: [], free_memory_bytes: 2 ** 30, free_disk_bytes: 2 ** 40, draining: false, drain_requested: false },
  ...{ beat: 0, inventory: 0 },
  ...fields,
})

export const wirePoolMachine = (fields: Partial<Wire<'PoolMachine'>> = {}): Wire<'PoolMachine'> => ({
  ...{ name: 'rack-01', gpu: 'H100 80 GB', version: '0.6.0', state: 'ready', permits: 2, busy: 0 },
  ...fields,
})

/** A pool of one machine, whose operator can read what is sent. */
export const wirePool = (fields: Partial<Wire<'Pool'>> = {}): Wire<'Pool'> => ({
  ...{ name: 'lab pool', operator: 'Lab desk', contact: 'desk@lab.example', places: ['Germany'], reads_inputs: true, keeps: '' },
  machines: [wirePoolMachine()],
  ...fields,
})
