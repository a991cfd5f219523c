export type WorkersApi = {
  /** Where a new task of this operation goes: 'local', 'auto' or a worker id. */
  readonly targetOf: (operation: string) => string
  /** Whether the owner enabled remote workers, even if the port could not be opened. */
  readonly isRemoteEnabled: () => boolean
}
