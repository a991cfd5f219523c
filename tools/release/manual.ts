// The pages of the manual in the packages, with the name of the package as the command.
import { join } from 'node:path'
import { ROOT } from '#cli/lib/command.ts'
import { COMMAND, PACKAGES, VERSION } from '#shared/protocol/version.ts'
import { execFileSync } from '#shared/runtime/child/process.ts'

const LONGEST_MS = 60_000

export const manualFile = (name: string): string => `man/${name}.1`

/** The page in section 1 of the program of a package. */
export function manualOf(name: string, version: string): string {
  const isAgent = name === PACKAGES.agent
  const args = [join(ROOT, 'cli/main.ts'), 'man', ...(isAgent ? ['agent'] : [])]
  const page = execFileSync(process.execPath, args, { cwd: ROOT, timeout: LONGEST_MS }).replace(
    `Voice Studio ${VERSION}`,
    `Voice Studio ${version}`,
  )
  if (isAgent) return page
  const shown = name.replaceAll('-', '\\-')
  return page
    .replaceAll(COMMAND, shown)
    .replace(/^\.TH \S+ /m, `.TH ${name.toUpperCase()} `)
    .replace(/^\S+ (?=\\- speech)/m, `${shown} `)
}
