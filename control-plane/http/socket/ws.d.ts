// The part of ws that is used here; the package has no types of its own.
declare module 'ws' {
  import type { EventEmitter } from 'node:events'
  import type { IncomingMessage } from 'node:http'
  import type { Duplex } from 'node:stream'

  export class WebSocket extends EventEmitter {
    readonly isPaused: boolean
    constructor(
      url: string,
      options?: {
        readonly headers: Readonly<Record<string, string>>
        readonly localAddress?: string
        readonly ca?: string
        readonly servername?: string
      },
    )
    send(data: string | Uint8Array, done: (error?: Error) => void): void
    ping(): void
    /** Stops reading: frames that have arrived already are still emitted. */
    pause(): void
    resume(): void
    close(code: number, reason: string): void
    terminate(): void
  }
  export class WebSocketServer {
    readonly clients: ReadonlySet<WebSocket>
    constructor(options: { readonly noServer: true; readonly maxPayload: number; readonly perMessageDeflate: false })
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, opened: (socket: WebSocket) => void): void
  }
}
