// Access to other machines, in both directions: they dial our port, and we dial those that listen. Turned on and off together.
import { createSerialQueue } from '#shared/runtime/serial-queue.ts'
import type { Dialler } from './dialler.ts'
import type { Listeners } from './listeners.ts'

export function createRemoteAccess(listeners: Listeners, dialler: Dialler) {
  const serialize = createSerialQueue() // opening a port takes a moment, and closing it meanwhile would close nothing
  return {
    ...listeners,
    /** Throws CONFLICT when the port is taken. */
    openPort: (): Promise<void> =>
      serialize(async () => {
        await listeners.openPort()
        dialler.start()
      }),
    closePort: (): Promise<void> =>
      serialize(async () => {
        listeners.closePort()
        await dialler.stop()
      }),
  }
}
