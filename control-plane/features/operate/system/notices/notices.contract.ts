// Notices for the owner, derived from the present state.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const StateNotice = z.object({
  id: z.string(),
  level: z.enum(['info', 'warn', 'error']),
  title: z.string(),
  message: z.string(),
  action: z.object({ label: z.string(), type: z.enum(['navigate', 'link', 'api', 'settings-tab']), target: z.string() }).nullable(),
})
export type StateNotice = z.output<typeof StateNotice>

const UpdateState = z.object({
  /** `unpublished`: no version is published yet, so nothing is requested. `failed`: the registry could not be asked. */
  state: z.enum(['unpublished', 'unchecked', 'failed', 'current', 'newer']),
  version: z.string(),
  newest: z.string().nullable().describe('The newer version that is published; null if none is known.'),
  checked_at: z.number().nullable().describe('Epoch seconds; null before the first request.'),
  command: z.string().nullable().describe('The command that updates this studio; null in a container, whose image is replaced.'),
})
export type UpdateState = z.output<typeof UpdateState>

export const noticesContracts = {
  readUpdates: contract({
    id: 'system.readUpdates',
    method: 'GET',
    path: '/system/updates',
    access: 'admin',
    summary: 'Returns what the last look for a newer version has found. It requests nothing.',
    extension: true,
    reply: UpdateState.meta({ id: 'UpdateState' }),
  }),
  listNotices: contract({
    id: 'system.listNotices',
    method: 'GET',
    path: '/system/notifications',
    access: 'admin',
    summary: 'Lists the notifications. Each one is present as long as its cause.',
    reply: z.object({ notifications: z.array(StateNotice), count: z.int() }).meta({ id: 'Notifications' }),
  }),
}
