// Figures about what the owner has made. They stay on this machine.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const Counted = z.object({ name: z.string(), count: z.int() })

export const Usage = z
  .object({
    takes: z.int(),
    starred: z.int(),
    audio_seconds: z.number(),
    compute_seconds: z.number(),
    active_days: z.int(),
    first_at: z.number().nullable(),
    last_at: z.number().nullable(),
    by_mode: z.array(Counted),
    by_language: z.array(Counted),
    voices: z.int(),
    dubs: z.int(),
    projects: z.int(),
    exports: z.int(),
    local_only: z.literal(true),
    generated_at: z.number(),
  })
  .meta({ id: 'Usage' })
export type Usage = z.output<typeof Usage>

export const usageContracts = {
  read: contract({
    id: 'library.readUsage',
    method: 'GET',
    path: '/stats/usage',
    access: 'own',
    summary: 'Returns figures about takes, projects and exports. Nothing of it leaves this machine.',
    reply: Usage,
  }),
}
