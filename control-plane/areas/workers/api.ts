import type { FleetService } from './fleet.service.ts'

export type WorkersApi = {
  /** Where a new task of this operation goes: 'local', 'auto' or a worker id. */
  readonly targetOf: (operation: string) => string
  /** Whether remote workers take this operation in this version. */
  readonly isRemoteOperation: (operation: string) => boolean
  /** Whether the owner enabled remote workers, even if the port could not be opened. */
  readonly isRemoteEnabled: () => boolean
  readonly fleet: FleetService['fleet']
  readonly remove: FleetService['remove']
}
