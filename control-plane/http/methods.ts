// Which methods a path has. A known path with another method is answered with 405, and a file also has HEAD.
import type { Contract } from './contract.ts'

/** HEAD for everything that GET serves as a file. An event stream has no end, and JSON is not probed. */
export const methodsOf = ({ method, media = [] }: Contract): string[] =>
  method === 'GET' && media.length > 0 && !media.includes('text/event-stream') ? ['GET', 'HEAD'] : [method]

/** A function from a path, as the client sent it without its query, to its methods in alphabetical order; none for an unknown path. */
export function createMethodTable(contracts: readonly Contract[]): (path: string) => string[] {
  const rows = contracts.map((contract) => ({ methods: methodsOf(contract), parts: contract.path.split('/') }))
  const mostParts = Math.max(...rows.map(({ parts }) => parts.length))
  return (path) => {
    const parts = path.split('/', mostParts + 1)
    const matching = rows.filter(
      (row) =>
        row.parts.length === parts.length && row.parts.every((part, at) => (part.startsWith('{') ? parts[at] !== '' : part === parts[at])),
    )
    return [...new Set(matching.flatMap(({ methods }) => methods))].sort()
  }
}
