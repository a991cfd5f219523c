import { PERSON_ROLES } from '#shared/protocol/access/person.ts'
import { roleFor } from '../access/principals.ts'
import type { Contract, SocketContract } from '../contract/contract.ts'

/** One line for each route: method, path and who may call it, sorted. `./studio docs` writes it to test/architecture/access.txt. */
export const accessTable = (contracts: readonly Contract[]): string =>
  lines(contracts.map(({ method, path, access }) => `${method} ${path} ${access}`))

/** True if a request to the route makes and changes nothing, so that a person who only listens may send it. */
export const isReadingRoute = ({ method, forReaders }: Pick<Contract, 'method' | 'forReaders'>): boolean =>
  method === 'GET' || forReaders === true

/** One line for each route and WebSocket: the roles of people that reach it. `./studio docs` writes it to test/architecture/roles.txt. */
export const roleTable = (contracts: readonly Contract[], sockets: readonly SocketContract[]): string =>
  lines([
    ...contracts.map((row) => `${row.method} ${row.path}: ${rolesFrom(roleFor(row.access, isReadingRoute(row)))}`),
    ...sockets.map(({ path, access, forReaders = false }) => `WebSocket ${path}: ${rolesFrom(roleFor(access, forReaders))}`),
  ])

/** The role and those with more rights. */
const rolesFrom = (first: (typeof PERSON_ROLES)[number] | null): string =>
  first === null ? 'none' : PERSON_ROLES.slice(PERSON_ROLES.indexOf(first)).join(' ')
const lines = (rows: readonly string[]): string => `${[...rows].sort().join('\n')}\n`
