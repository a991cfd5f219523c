// The parts of `uninstall`: the program folder and the data folder of a program.
import { existsSync, lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join, parse, sep } from 'node:path'
import type { ServicePlace } from './place.ts'
import { programsFolder } from './start-path.ts'

/** A person may have named a folder in STUDIO_DATA_DIR that has a folder `program` of another origin. */
function isOurs(folder: string): boolean {
  if (!existsSync(folder)) return false
  return readdirSync(folder).some(
    (name) => /^(?:state\.json|current\.txt|\.studio-unfinished-.*)$/.test(name) || existsSync(join(folder, name, 'program.json')),
  )
}

/** Removes the copies of the program. False if there are none. They are read before they are used, so the running command goes on. */
export function removePrograms(place: ServicePlace): boolean {
  const folder = programsFolder(place)
  if (!isOurs(folder)) return false
  rmSync(folder, { recursive: true, force: true })
  return true
}

/** Entries of which a data folder has at least one. */
const OF_STUDIO = ['studio.db']
const OF_AGENT = ['agent/identity.json', 'inbound', 'program/state.json', 'service/agent.env', 'service/studio.env']

export const isOfStudio = (dataDir: string): boolean => OF_STUDIO.some((name) => existsSync(join(dataDir, name)))

/**
 * The reason not to delete this folder as the data of a program; null for a data folder. A person may have named any folder in STUDIO_DATA_DIR,
 * also one that has other files or is a part of the system.
 */
export function deletionObjection({ dataDir, home, root }: Pick<ServicePlace, 'dataDir' | 'home' | 'root'>): string | null {
  if (!existsSync(dataDir)) return `${dataDir} does not exist.`
  const real = realpathSync(dataDir)
  if (lstatSync(dataDir).isSymbolicLink()) return `${dataDir} is a link. Delete it, and the folder that it names, yourself.`
  const holds = (path: string) => existsSync(path) && `${realpathSync(path)}${sep}`.startsWith(`${real}${sep}`)
  if (dirname(real) === parse(real).root || holds(home)) return `${dataDir} has more than the data of this program. Delete that yourself.`
  if (holds(root) && !realpathSync(root).startsWith(`${real}${sep}program${sep}`)) return `The program itself lies in ${dataDir}.`
  if (![...OF_STUDIO, ...OF_AGENT].some((name) => existsSync(join(dataDir, name)))) return `${dataDir} has no data of this program.`
  return null
}
