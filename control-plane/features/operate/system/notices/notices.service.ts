// The present notices for the owner.
import type { Clock } from '#shared/runtime/clock.ts'
import { createGuard } from '../overview/guarded.ts'
import type { StateNotice } from './notices.contract.ts'
import { type NoticeState, noticesOf } from './notices.rules.ts'

type Deps = {
  readonly state: () => Omit<NoticeState, 'freeDisk'>
  readonly freeDisk: () => Promise<number | null>
  readonly clock: Pick<Clock, 'after'>
}

/** The most urgent first. */
export const createOwnerNotices =
  ({ state, freeDisk, clock }: Deps) =>
  async (): Promise<StateNotice[]> =>
    // A network disk that hangs must not hang every page.
    noticesOf({ ...state(), freeDisk: await createGuard(clock).value('disk', null, freeDisk) })
