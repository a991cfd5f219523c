import type { InstallEvent, InventoryReply, RemoveModelReply, StopInstallReply } from '#shared/protocol/messages.ts'

/** The part of a session that this area uses. */
export type ModelHost = {
  readonly isReady: () => boolean
  readonly inventory: () => Promise<InventoryReply>
  /** `isNext`: before the others that wait. Throws OPERATION_UNSUPPORTED for an agent that keeps their order. */
  readonly install: (id: string, signal: AbortSignal, isNext?: boolean) => AsyncIterable<InstallEvent>
  readonly stopInstall: (id: string) => Promise<StopInstallReply>
  readonly removeModel: (id: string) => Promise<RemoveModelReply>
  /** Refreshes the offers of the machine, so that a reported change can be used at once. Never rejects. */
  readonly describeAgain: () => Promise<void>
}
