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

export const noticesContracts = {
  listNotices: contract({
    id: 'system.listNotices',
    method: 'GET',
    path: '/system/notifications',
    access: 'admin',
    summary: 'Lists the notifications. Each one is present as long as its cause.',
    reply: z.object({ notifications: z.array(StateNotice), count: z.int() }).meta({ id: 'Notifications' }),
  }),
}
