import type { Models } from './models.service.ts'

export type ModelsApi = {
  readonly rows: Models['rows']
  /** The engines whose licence has to be accepted before their models are downloaded, and is not. */
  readonly unlicensed: () => ReadonlySet<string>
  /** True if the model is being installed on the local agent. */
  readonly isInstalling: Models['isInstalling']
  /** Model folder of the local agent. */
  readonly folder: string
  /** Free bytes in that folder; null if the system does not report them. */
  readonly freeDisk: () => Promise<number | null>
}

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly models: ModelsApi
  }
}
