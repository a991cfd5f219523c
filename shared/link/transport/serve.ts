// One gRPC server per secure connection. That is cheap, and it gives every method the peer of its connection by closure, where a shared
// server would have to find out on every call whom it talks to.
import type { TLSSocket } from 'node:tls'
import { Server, ServerCredentials, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js'
import { SERVER_OPTIONS, widenServerWindows } from './options.ts'

export type Serving = {
  /** Takes no more calls; the connection ends when those under way have. */
  readonly finish: () => void
}

/** Serves until the socket closes. TLS is done already, so the library gets the socket as a plain one. */
export function serveOn(socket: TLSSocket, definition: ServiceDefinition, implementation: UntypedServiceImplementation): Serving {
  widenServerWindows()
  const server = new Server(SERVER_OPTIONS)
  server.addService(definition, implementation)
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure())
  injector.injectConnection(socket)
  socket.once('close', () => server.forceShutdown())
  return { finish: () => injector.destroy() }
}
