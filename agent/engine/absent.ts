// Engines that users know by name and that this version does not run: they have a row that says so, and refuse every run with the same words.
import { Failure } from '#shared/protocol/failure.ts'
import type { Capability, Engine, Operation } from './engine.ts'

type Absent = { readonly engine: string; readonly operation: Operation; readonly reason: string }

export const ABSENT: readonly Absent[] = [
  {
    engine: 'pyannote',
    operation: 'diarize',
    reason: 'Telling speakers apart needs a segmentation and a speaker network and their clustering, which are not part of this version.',
  },
]

export function createAbsent({ engine, operation, reason }: Absent): Engine {
  const refuse = () => new Failure('MODEL_NOT_INSTALLED', `${engine}: ${reason}`)
  const capability: Capability = {
    engine,
    model: '',
    operation,
    implementation: '',
    standsIn: null,
    languages: [],
    voices: [],
    cloning: false,
    supported: false,
    installed: false,
    downloaded: false,
    device: 'cpu',
    sampleRate: 0,
    permits: 1,
    modelDigest: '',
    memoryBytes: 0,
    reason,
  }
  return {
    describe: () => [capability],
    load: async () => {
      throw refuse()
    },
    // biome-ignore lint/correctness/useYield: there is nothing to give
    async *run() {
      throw refuse()
    },
    unload: async () => {},
  }
}
