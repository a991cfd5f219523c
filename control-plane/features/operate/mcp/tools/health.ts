// check_health: whether the studio can speak and transcribe now.
import { z } from 'zod'
import type { RecognitionApi } from '#control-plane/features/listening/recognition/api.ts'
import type { EnginesApi } from '#control-plane/features/machines/engines/api.ts'
import { tool } from './tool.ts'

type Deps = {
  readonly version: string
  readonly engines: Pick<EnginesApi, 'tts'>
  readonly recognition: Pick<RecognitionApi, 'models'>
  /** Number of connected machines. */
  readonly machineCount: () => number
}

export const checkHealth = ({ version, engines, recognition, machineCount }: Deps) =>
  tool({
    name: 'check_health',
    title: 'Check the studio',
    description: 'Returns whether the studio can speak and transcribe now, and on which device the selected engine runs.',
    input: z.object({}),
    output: z.object({
      status: z.literal('ok'),
      version: z.string(),
      device: z.string(),
      speech: z.object({ engine: z.string(), available: z.boolean(), reason: z.string().nullable() }),
      recognition: z.object({ available: z.boolean() }),
      machines: z.int().describe('Connected machines, this one included.'),
    }),
    readOnly: true,
    run() {
      const { active, backends } = engines.tts()
      const row = backends.find(({ id }) => id === active)
      // A substitute that speaks in place of the engine is in its hint.
      const speech = { engine: active, available: row?.available ?? false, reason: row?.reason ?? row?.hint ?? null }
      const canTranscribe = recognition.models().length > 0
      return {
        fields: {
          status: 'ok' as const,
          version,
          device: row?.effective_device ?? 'none',
          speech,
          recognition: { available: canTranscribe },
          machines: machineCount(),
        },
      }
    },
  })
