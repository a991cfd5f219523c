// Access to other machines, in both directions: they dial our port, and we dial those that listen. Turned on and off together.
import type { Dialler } from './dialler.ts'
import type { Listeners } from './listeners.ts'

export const createRemoteAccess = (listeners: Listeners, dialler: Dialler) => ({
  ...listeners,
  /** Throws CONFLICT when the port is taken. */
  async openPort(): Promise<void> {
    await listeners.openPort()
    dialler.start()
  },
  async closePort(): Promise<void> {
    listeners.closePort()
    await dialler.stop()
  },
})
