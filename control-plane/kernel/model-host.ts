import type { Wire } from '#shared/protocol/generated/wire.ts'
/** The part of a session that this area uses. */
export type ModelHost = {
  readonly isReady: () => boolean
  readonly inventory: () => Promise<Wire<'InventoryReply'>>
  /** `isNext`: before the others that wait. Throws OPERATION_UNSUPPORTED for an agent that keeps their order. */
  readonly install: (id: string, signal: AbortSignal, isNext?: boolean) => AsyncIterable<Wire<'InstallEvent'>>
  readonly stopInstall: (id: string) => Promise<Wire<'StopInstallReply'>>
  readonly removeModel: (id: string) => Promise<Wire<'RemoveModelReply'>>
  /** Throws OPERATION_UNSUPPORTED for an older agent, CONFLICT for what the owner of the machine does not allow. */
  readonly putFile: (request: Omit<Wire<'PutFileRequest'>, 'consent_id'>) => Promise<void>
  /** Makes a model of the files of an addition; see agent.proto. */
  readonly addModel: (request: Omit<Wire<'AddModelRequest'>, 'consent_id'>, signal: AbortSignal) => AsyncIterable<Wire<'InstallEvent'>>
  /** Refreshes the offers of the machine, so that a reported change can be used at once. Never rejects. */
  readonly describeAgain: () => Promise<void>
}
