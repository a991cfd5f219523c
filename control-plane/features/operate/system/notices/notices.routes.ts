import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { createGuard } from '../overview/guarded.ts'
import { noticesContracts } from './notices.contract.ts'
import { type NoticeState, noticesOf } from './notices.rules.ts'

type Deps = {
  readonly state: () => Omit<NoticeState, 'freeDisk'>
  readonly freeDisk: () => Promise<number | null>
  readonly clock: Pick<Clock, 'after'>
}

export const noticesRoutes = ({ state, freeDisk, clock }: Deps): Route[] => [
  handle(noticesContracts.listNotices, async () => {
    // A network disk that hangs must not hang every page.
    const free = await createGuard(clock).value('disk', null, freeDisk)
    const notifications = noticesOf({ ...state(), freeDisk: free })
    return { notifications, count: notifications.length }
  }),
]
