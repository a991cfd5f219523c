// Decides which requests leave HTTP, in the options of createServer.
import type { IncomingMessage as Request, ServerOptions } from 'node:http'
import { IncomingMessage } from '#shared/runtime/builtin/http.ts'

/**
 * Other protocols that a client proposes are ignored, and the request is answered. Node calls `shouldUpgradeCallback` since 24.9. Older versions
 * take every proposal once there is a listener, and read it from the `upgrade` of the request when all headers have been added.
 */
export function upgradesOnly(shouldUpgrade: (request: Request) => boolean): ServerOptions {
  class FilteredRequest extends IncomingMessage {
    declare private proposed: boolean
    // Also called by the constructor of IncomingMessage, so this is no private field.
    set upgrade(value: boolean) {
      this.proposed = value
    }
    get upgrade(): boolean {
      return this.proposed && (this.method === 'CONNECT' || shouldUpgrade(this))
    }
  }
  return { shouldUpgradeCallback: shouldUpgrade, IncomingMessage: FilteredRequest }
}
