// One service for all panels: each call goes to that of the panel whose key the caller has proven.
import type { AgentService } from '#shared/link/rpc.ts'

/** `serviceOf` throws for a key that may not call any more. */
export const byPin = (serviceOf: (pin: string) => AgentService): AgentService => ({
  describe: async (request, peer) => serviceOf(peer.pin).describe(request, peer),
  async *watch(request, peer) {
    yield* serviceOf(peer.pin).watch(request, peer)
  },
  run: async (call) => serviceOf(call.peer.pin).run(call),
  commit: async (request, peer) => serviceOf(peer.pin).commit(request, peer),
  consent: async (request, peer) => serviceOf(peer.pin).consent(request, peer),
  drain: async (request, peer) => serviceOf(peer.pin).drain(request, peer),
  async *logs(request, peer) {
    yield* serviceOf(peer.pin).logs(request, peer)
  },
  inventory: async (request, peer) => serviceOf(peer.pin).inventory(request, peer),
  async *install(request, peer) {
    yield* serviceOf(peer.pin).install(request, peer)
  },
  stopInstall: async (request, peer) => serviceOf(peer.pin).stopInstall(request, peer),
  removeModel: async (request, peer) => serviceOf(peer.pin).removeModel(request, peer),
  unload: async (request, peer) => serviceOf(peer.pin).unload(request, peer),
  rotate: async (request, peer) => serviceOf(peer.pin).rotate(request, peer),
})
