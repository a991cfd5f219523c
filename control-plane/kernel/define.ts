// The definition of an area. An area may use another one only through its `api`, and names it in `needs`; registry/areas.ts lists them in
// that order.

import type { Route } from '#control-plane/http/contract/handle.ts'
import type { SocketRoute } from '#control-plane/http/socket/socket.ts'
import type { Change } from '#control-plane/tasks/record.ts'
import type { Service } from '#shared/runtime/service.ts'
import type { Platform, PoolPlatform } from './platform.ts'

/** The api of each area by name: every area declares its own here; null for an area that no other one uses. */
// biome-ignore lint/suspicious/noEmptyInterface: the areas fill it
export interface AreaApis {}

export type AreaName = keyof AreaApis
type Opened<Api> = {
  readonly routes: readonly Route[]
  readonly sockets?: readonly SocketRoute[]
  /** Interface for other areas; null when none uses it. */
  readonly api: Api
  readonly services?: readonly Service[]
  /** Called with the changes of each durable batch of the ledger. */
  readonly committed?: (changes: readonly Change[]) => void
  /** Called before the services stop: ends streams that would keep connections open. */
  readonly beginStop?: () => void
}
/** An area with its types erased, as the list holds it. */
export type Area = {
  readonly name: AreaName
  readonly needs: readonly AreaName[]
  readonly open: (platform: Platform, needs: never) => Opened<unknown>
}
/** An area that needs no library: a pool can have it. */
export type PoolArea = Area & { readonly open: (platform: PoolPlatform, needs: never) => Opened<unknown> }
type Definition<Name extends AreaName, Needs extends readonly AreaName[], Parts> = {
  readonly name: Name
  readonly needs: Needs
  readonly open: (platform: Parts, needs: Pick<AreaApis, Needs[number]>) => Opened<AreaApis[Name]>
}

/** Checks at compile time that an area uses only what it names in `needs` and provides the api that others expect. */
export const defineArea = <Name extends AreaName, const Needs extends readonly AreaName[]>(area: Definition<Name, Needs, Platform>): Area =>
  area
/** Same as `defineArea`, for an area that needs no library. */
export const definePoolArea = <Name extends AreaName, const Needs extends readonly AreaName[]>(
  area: Definition<Name, Needs, PoolPlatform>,
): PoolArea => area
