import type { Contract } from '../contract/contract.ts'

/** One line for each route: method, path and who may call it, sorted. `./studio docs` writes it to test/architecture/access.txt. */
export const accessTable = (contracts: readonly Contract[]): string =>
  `${contracts
    .map(({ method, path, access }) => `${method} ${path} ${access}`)
    .sort()
    .join('\n')}\n`
