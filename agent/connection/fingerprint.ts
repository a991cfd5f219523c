// Describes this machine and its capabilities, once per session.

import { statfs } from 'node:fs/promises'
import { cpus, freemem, hostname, totalmem } from 'node:os'
import type { EnginePool } from '#agent/engine/host/pool.ts'
import { PROBE, PROBE_PERMITS } from '#shared/operations/probe.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import {
  EXCHANGE_FEATURE,
  FORGET_VOICES_FEATURE,
  INPUTS_FEATURE,
  INSTALL_NEXT_FEATURE,
  OWN_FILES_FEATURE,
  PROTOCOL_VERSION,
} from '#shared/protocol/messages.ts'
import { VERSION } from '#shared/protocol/version.ts'
import type { GpuProbe } from './gpus.ts'

export type Describe = () => Promise<Wire<'Description'>>

export const PROBE_CAPABILITY: Wire<'Capability'> = {
  engine: PROBE,
  model: '',
  operation: PROBE,
  implementation: PROBE,
  stands_in: '',
  languages: [],
  voices: [],
  cloning: false,
  supported: true,
  installed: true,
  downloaded: true,
  device: 'cpu',
  sample_rate: 0,
  permits: PROBE_PERMITS,
  model_digest: '',
  memory_bytes: 0,
  continues: false,
  phones: '',
  scripts: [],
  streams: false,
}

export const createDescribe =
  (
    pool: EnginePool,
    generation: () => number,
    instance: string,
    inventory: () => number,
    gpus: Pick<GpuProbe, 'found' | 'unusable'> = { found: () => [], unusable: () => [] },
  ): Describe =>
  async () => {
    // Read before the rows: a change in between is then reported twice rather than never.
    const inventoryBefore = inventory()
    return {
      agent_version: VERSION,
      features: [INPUTS_FEATURE, FORGET_VOICES_FEATURE, EXCHANGE_FEATURE, INSTALL_NEXT_FEATURE, OWN_FILES_FEATURE],
      host: {
        hostname: hostname(),
        os: process.platform === 'win32' ? 'windows' : process.platform,
        arch: process.arch,
        cpu_count: cpus().length,
        memory_bytes: totalmem(),
        gpus: gpus.found(),
        unusable_gpus: gpus.unusable(),
      },
      capabilities: [
        PROBE_CAPABILITY,
        ...(await pool.capabilities()).map(
          ({
            continues = false,
            streams = false,
            phones = '',
            standsIn,
            sampleRate,
            modelDigest,
            memoryBytes,
            languages,
            scripts,
            voices,
            reason: _,
            ...rest
          }) => ({
            ...rest,
            continues,
            streams,
            phones,
            stands_in: standsIn ?? '',
            sample_rate: sampleRate,
            model_digest: modelDigest,
            memory_bytes: memoryBytes,
            languages: [...languages],
            scripts: [...scripts],
            voices: voices.map(({ defaultFor = [], ...voice }) => ({ ...voice, default_for: [...defaultFor] })),
          }),
        ),
      ],
      generation: generation(),
      protocol: PROTOCOL_VERSION,
      instance,
      inventory: inventoryBefore,
    }
  }

/** 0 when unknown: macOS does not count memory as free that it would release on demand. */
export const freeMemory = (): number => (process.platform === 'darwin' ? 0 : freemem())

/** Bytes that this program can still write under `folder`: 0 when unknown, otherwise at least 1. */
export const freeDisk = async (folder: string): Promise<number> => {
  try {
    const { bavail, bsize } = await statfs(folder)
    return Math.max(1, bavail * bsize)
  } catch {
    return 0
  }
}
