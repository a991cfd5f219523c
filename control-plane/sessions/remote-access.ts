// Other machines, in both directions: they dial our port, we dial those that listen. On and off together.
import type { Dialler } from './dialler.ts'
import type { Listeners } from './listeners.ts'

export const createRemoteAccess = (doors: Listeners, dialler: Dialler) => ({
  ...doors,
  /** Throws CONFLICT when the port is taken. */
  async openPort(): Promise<void> {
    await doors.openPort()
    dialler.start()
  },
  async closePort(): Promise<void> {
    doors.closePort()
    await dialler.stop()
  },
})
