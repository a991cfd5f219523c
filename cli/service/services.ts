// Installing, removing and describing the service of a program, for the commands `service`, `join` and `uninstall`.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { captureProgram } from '#cli/lib/child.ts'
import { isPackaged, ROOT, type Terminal } from '#cli/lib/command.ts'
import { hasTools } from '#cli/lib/developer-commands.ts'
import { agreed } from '#cli/lib/install-programs.ts'
import { studioFolder } from '#cli/lib/studio/folder.ts'
import { runsInPlace } from '#cli/program/folder.ts'
import { placeProgram } from '#cli/program/launch.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { childEnvironment } from '#shared/runtime/child/environment.ts'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'
import { pathsOf, type ServedProgram, type ServicePlace } from './place.ts'
import { serviceOf, type UserService } from './service.ts'
import { settingsIn, settingsText } from './settings-file.ts'
import { programsFolder, START_CURRENT } from './start-path.ts'
import { type ServiceMachine, type ServiceState, type ServiceSystem, serviceSystem } from './system.ts'

/** Variables with which the programs of the system find the session of the user. */
const OF_SESSION = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_CONFIG_HOME', 'USER', 'SystemRoot']
const CALL_MS = 60_000

const optionalText = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** This machine, its user and this program. Throws for invalid settings. */
export function thisPlace({ env }: Terminal): ServicePlace {
  const { username: user, uid, homedir } = userInfo()
  const home = env['HOME'] || homedir
  return {
    platform: process.platform,
    home,
    configHome: env['XDG_CONFIG_HOME'] || join(home, '.config'),
    user,
    uid,
    dataDir: studioFolder(env),
    root: ROOT,
    isCheckout: hasTools(),
    node: process.execPath,
    path: env['PATH'] ?? '',
  }
}

function thisMachine({ env }: Terminal): ServiceMachine {
  return {
    // Not the signal of the terminal: an installation that is interrupted half-way would leave a unit that no one has started.
    call: (program, args) =>
      captureProgram(program, args, { env: childEnvironment(env, OF_SESSION), signal: AbortSignal.timeout(CALL_MS) }),
    read: optionalText,
    write(path, content, mode) {
      mkdirSync(dirname(path), { recursive: true })
      writeAtomic(path, content, mode)
    },
    remove: (path) => rmSync(path, { force: true }),
  }
}

export type FoundService = {
  readonly place: ServicePlace
  readonly service: UserService
  readonly system: ServiceSystem
  /** Ours: of this program and this data folder. Foreign: a person wrote it, or it is for another data folder. */
  readonly origin: 'none' | 'ours' | 'foreign'
}

/** Throws for invalid settings, and for a system without services. */
export async function findService(program: ServedProgram, terminal: Terminal): Promise<FoundService> {
  const place = thisPlace(terminal)
  const service = serviceOf(program, place)
  const system = serviceSystem(service, place, thisMachine(terminal))
  return { place, service, system, origin: originOf(await system.installed(), system) }
}

export function originOf(installed: string | null, { signs }: Pick<ServiceSystem, 'signs'>): FoundService['origin'] {
  if (installed === null) return 'none'
  return signs.every((sign) => installed.includes(sign)) ? 'ours' : 'foreign'
}

export type InstalledService = { readonly found: FoundService; readonly state: ServiceState; readonly lines: readonly string[] }

/**
 * Installs and starts the service. `replace`: a foreign one is replaced, or a person is asked, or it is refused. Null if the person did not agree.
 * Throws NOT_READY with the reason if this machine can have no service now, and CONFLICT for a foreign one that is refused.
 */
export async function installService(
  program: ServedProgram,
  terminal: Terminal,
  { replace }: { readonly replace: 'yes' | 'ask' | 'no' },
): Promise<InstalledService | null> {
  const found = await findService(program, terminal)
  const { place, service, system, origin } = found
  if (!place.isCheckout && isPackaged(terminal.env) && !runsInPlace(ROOT, place.dataDir))
    await placeProgram({ dataFolder: place.dataDir, root: ROOT })
  const objection = (await system.objection()) ?? programObjection(place, service)
  if (objection !== null) throw new Failure('PROGRAM_MISSING', objection)
  if (origin === 'foreign') {
    const sentence = `${system.where} is not from this program and this data folder.`
    if (replace === 'no') throw new Failure('CONFLICT', sentence)
    if (replace === 'ask' && !(await agreed(`${sentence} Replace it? (y/N) `, terminal))) return null
  }
  writeSettings(found, terminal)
  if (place.platform === 'win32' && !place.isCheckout) writeAtomic(pathsOf('win32').join(programsFolder(place), 'start.cjs'), START_CURRENT)
  await system.install()
  const state = await system.state()
  return { found, state, lines: [`The service ${service.name} is installed: ${system.where}`, ...system.advice(state)] }
}

/** A package runs from its copy in the data folder, which the next version replaces. */
function programObjection(place: ServicePlace, { words }: UserService): string | null {
  if (place.isCheckout || place.platform === 'win32' || existsSync(words[1] ?? '')) return null
  return `The program is not in ${programsFolder(place)} yet. It is there once ${COMMAND} has been started.`
}

/** Data folder and settings of this terminal; settings of an earlier installation stay. */
function writeSettings({ place, service: { settingsFile } }: FoundService, { env }: Terminal): void {
  const { STUDIO_DATA_DIR: _, ...settings } = env
  // Only a task of Windows has no other place for the data folder.
  const own = place.platform === 'win32' ? { ...settings, STUDIO_DATA_DIR: place.dataDir } : settings
  const before = optionalText(settingsFile)
  const after = settingsText(before ?? '', own)
  if (after === (before ?? '')) return
  privateFolder(dirname(settingsFile))
  writeAtomic(settingsFile, after)
}

/** False if there is none of this program and this data folder. Its settings stay. */
export async function removeService({ system, origin }: FoundService): Promise<boolean> {
  if (origin !== 'ours') return false
  await system.remove()
  return true
}

/** Names of the settings that the service reads besides its data folder. */
export const settingsOfService = ({ service }: FoundService): string[] =>
  settingsIn(optionalText(service.settingsFile) ?? '').filter((name) => name !== 'STUDIO_DATA_DIR')
