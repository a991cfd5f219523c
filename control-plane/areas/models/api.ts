import type { Models } from './models.service.ts'

export type ModelsApi = {
  readonly rows: Models['rows']
  /** Where the local agent keeps its models. */
  readonly folder: string
  /** Bytes that are free there; null where the system does not report it. */
  readonly freeDisk: () => Promise<number | null>
}
