// One gRPC server per TLS connection. That is cheap, and each method gets the peer of its connection by closure, which a shared server would
// have to look up on every call.
import type { TLSSocket } from 'node:tls'
import { type ChannelOptions, Server, ServerCredentials, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js'

export type Serving = {
  /** Accepts no more calls; the connection ends when the running calls have ended. */
  readonly finish: () => void
}

/** Serves until the socket closes; not at all on a closed one. TLS is complete, so the library gets the socket as a plain one. */
export function serveOn(
  socket: TLSSocket,
  definition: ServiceDefinition,
  implementation: UntypedServiceImplementation,
  options: ChannelOptions,
): Serving {
  const server = new Server(options)
  server.addService(definition, implementation)
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure())
  if (!socket.destroyed) injector.injectConnection(socket)
  socket.once('close', () => server.forceShutdown())
  return { finish: () => injector.destroy() }
}
