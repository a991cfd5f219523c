import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { noticesContracts, type StateNotice, type UpdateState } from './notices.contract.ts'

export const noticesRoutes = (notices: () => Promise<StateNotice[]>, updates: () => Promise<UpdateState>): Route[] => [
  handle(noticesContracts.readUpdates, updates),
  handle(noticesContracts.listNotices, async () => {
    const notifications = await notices()
    return { notifications, count: notifications.length }
  }),
]
