// The paths of routes and which methods they have. A known path with another method is answered with 405; HEAD is answered as GET is.
import type { Contract } from '../contract/contract.ts'

/** The path as fastify writes it: /workers/:worker_id. */
export const fastifyPath = ({ path }: Contract): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** A handler of GET serves HEAD, too (RFC 9110, section 9.1): `sendContent` leaves the body unread. One that is for one use does not. */
export const methodsOf = ({ method, isForOneUse }: Pick<Contract, 'method' | 'isForOneUse'>): string[] =>
  method === 'GET' && !isForOneUse ? ['GET', 'HEAD'] : [method]

/**
 * A function from a path, as the client sent it without its query, to its methods in alphabetical order; none for an unknown path. Of several
 * contracts that match, those with the most specific path decide: /models/verify is not the model with the id verify.
 */
export function createMethodTable(contracts: readonly Contract[]): (path: string) => string[] {
  const rows = contracts.map((contract) => ({ methods: methodsOf(contract), path: contract.path, parts: contract.path.split('/') }))
  // Literal parts first, from the left.
  rows.sort((one, other) => (rankOf(one.path) < rankOf(other.path) ? -1 : 1))
  const byLength = Map.groupBy(rows, ({ parts }) => parts.length)
  const mostParts = Math.max(...byLength.keys())
  return (path) => {
    const parts = path.split('/', mostParts + 1)
    const matching = (byLength.get(parts.length) ?? []).filter((row) =>
      row.parts.every((part, at) => (isParameter(part) ? parts[at] !== '' : part === parts[at])),
    )
    const first = matching[0] && rankOf(matching[0].path)
    const own = matching.filter((row) => rankOf(row.path) === first)
    return [...new Set(own.flatMap(({ methods }) => methods))].sort()
  }
}

const isParameter = (part: string): boolean => part.startsWith('{')
/** 0 for each literal part, 1 for each parameter. */
const rankOf = (path: string): string =>
  path
    .split('/')
    .map((part) => (isParameter(part) ? 1 : 0))
    .join('')
