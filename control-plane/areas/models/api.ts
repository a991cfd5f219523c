import type { Models } from './models.service.ts'

export type ModelsApi = {
  readonly rows: Models['rows']
  /** Model folder of the local agent. */
  readonly folder: string
  /** Free bytes in that folder; null where the system does not report them. */
  readonly freeDisk: () => Promise<number | null>
}
