import type { FleetService } from './fleet.service.ts'

export type WorkersApi = {
  /** The target of a new task of this operation: 'local', 'auto' or a worker id. */
  readonly targetOf: (operation: string) => string
  /** Reason why a new task of this operation runs here although another machine is chosen, as a sentence; null if it does not. */
  readonly fallbackOf: (operation: string) => string | null
  /** True if this machine, or one that the owner enrolled and approved, may run a task of this operation now. */
  readonly isUsable: (workerId: string, operation: string) => boolean
  /** The name of a target for people. */
  readonly labelOf: (target: string) => string
  /** True if this operation runs on remote machines in this version. */
  readonly isRemoteOperation: (operation: string) => boolean
  /** True if the owner enabled remote machines, even if the port could not be opened. */
  readonly isRemoteEnabled: () => boolean
  readonly fleet: FleetService['fleet']
  readonly remove: FleetService['remove']
}

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly workers: WorkersApi
  }
}
