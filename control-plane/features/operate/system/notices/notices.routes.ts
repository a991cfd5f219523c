import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { noticesContracts, type StateNotice } from './notices.contract.ts'

export const noticesRoutes = (notices: () => Promise<StateNotice[]>): Route[] => [
  handle(noticesContracts.listNotices, async () => {
    const notifications = await notices()
    return { notifications, count: notifications.length }
  }),
]
