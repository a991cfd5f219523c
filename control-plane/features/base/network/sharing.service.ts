// Sharing in the local network: a port and a PIN for the time between enable and disable.

import type { SharePin } from '#control-plane/http/access/share-pin.ts'
import type { SharedPort } from '#control-plane/http/sharing/shared-port.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { CREATE_KEY } from '#shared/protocol/settings.ts'
import type { Log } from '#shared/runtime/log.ts'
import { createSerialQueue } from '#shared/runtime/serial-queue.ts'

type Deps = {
  readonly port: Pick<SharedPort, 'open' | 'close' | 'port'>
  readonly pins: Pick<SharePin, 'begin' | 'end' | 'pin'>
  /** The first port that is tried. */
  readonly firstPort: () => number
  readonly addresses: () => readonly string[]
  /** The API key of the studio, which the shared port accepts, is easy to guess. */
  readonly hasWeakKey: boolean
  /** Called before the port closes, while sharing is still on. Must not reject. */
  readonly closing: () => Promise<void>
  readonly log: Log
}
export type Sharing = ReturnType<typeof createSharing>

const weakKey = () =>
  new Failure('CONFLICT', `STUDIO_API_KEY is easy to guess, so sharing stays off. ${CREATE_KEY} Then start the studio with it.`)

export function createSharing({ port, pins, firstPort, addresses, hasWeakKey, closing, log }: Deps) {
  const inOrder = createSerialQueue()
  const isOn = () => port.port() !== null

  return {
    isOn,
    port: port.port,
    state: () => ({
      enabled: isOn(),
      share_port: port.port(),
      pin: pins.pin(),
      pin_required: isOn(),
      lan_addresses: [...addresses()],
    }),
    /** While sharing is on, the port and the PIN stay. Throws CONFLICT for a weak key and when no port can be opened; sharing is then off. */
    enable: () =>
      inOrder(async () => {
        if (hasWeakKey) throw weakKey()
        if (!isOn()) {
          // Before the port opens, so that there is no moment without a PIN.
          pins.begin()
          await port.open(firstPort()).catch((error: unknown) => {
            pins.end()
            throw error
          })
          log.info({ port: port.port() }, 'sharing in the local network is on')
        }
        return { enabled: true as const, share_port: port.port()!, pin: pins.pin()!, lan_addresses: [...addresses()] }
      }),
    /** Ends the connections of other devices. Does nothing while sharing is off. */
    disable: () =>
      inOrder(async () => {
        if (isOn()) {
          await closing()
          pins.end()
          await port.close()
          log.info({}, 'sharing in the local network is off')
        }
        return { enabled: false as const }
      }),
  }
}
