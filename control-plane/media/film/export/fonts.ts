// Checks whether a font of this machine has the letters of a language.
import { findProgram } from '#shared/runtime/program.ts'
import type { Workspace } from '../guard/workspace.ts'

const SYSTEM_PATH = '/usr/bin:/bin:/usr/local/bin'
const LIMIT_MS = 20_000

/** True as well when this cannot be found out. */
export async function hasFontFor(language: string, workspace: Workspace): Promise<boolean> {
  const program = findProgram('fc-list', SYSTEM_PATH)
  const code = /^[a-z]{2,3}(?=$|[-_])/i.exec(language)?.[0].toLowerCase()
  if (program === null || code === undefined) return true
  let isThere = false
  const take = (piece: Buffer) => {
    isThere ||= piece.length > 0
  }
  const args = [`:lang=${code}`, 'family']
  return await workspace.run({ program, args, limitMs: LIMIT_MS, take }).then(
    () => isThere,
    () => true,
  )
}
