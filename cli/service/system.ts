// Contract with the program of the system that runs services, and its three implementations.
import { launchLabel, plistText } from './launchd.ts'
import { pathsOf, type ServicePlace } from './place.ts'
import { taskText } from './scheduled-task.ts'
import { SERVICE_MARK, type UserService } from './service.ts'
import { unitText, unitValue } from './systemd.ts'
import { xmlText } from './xml.ts'

export type ServiceMachine = {
  /** Runs a program to its end; code 127 if it cannot start. */
  readonly call: (program: string, args: readonly string[]) => Promise<{ readonly code: number; readonly text: string }>
  /** Null if there is no such file. */
  readonly read: (path: string) => string | null
  /** Replaces a file, and creates its folder. */
  readonly write: (path: string, content: string | Uint8Array, mode: number) => void
  readonly remove: (path: string) => void
}

export type ServiceState = {
  readonly running: boolean
  readonly pid: number | null
  /** Moment from which the service runs without a person; never: it must be started by hand. */
  readonly starts: 'boot' | 'login' | 'never'
}

export type ServiceSystem = {
  /** The definition, for texts. */
  readonly where: string
  readonly definition: string
  /** Texts in every definition that this program wrote for this data folder. */
  readonly signs: readonly string[]
  /** Sentence that says why there can be no service here; null if there can. */
  readonly objection: () => Promise<string | null>
  /** The definition that is installed, of any origin; null if there is none. */
  readonly installed: () => Promise<string | null>
  /** Writes the definition and starts the service, or starts it again. Throws an Error with the text of the system. */
  readonly install: () => Promise<void>
  /** Stops the service until its next start. Null where the manager would kill the program without a grace: it is asked itself there. */
  readonly stop: (() => Promise<void>) | null
  /** Stops the service and deletes its definition. */
  readonly remove: () => Promise<void>
  readonly state: () => Promise<ServiceState>
  /** Sentences for a person about a service that has been installed. */
  readonly advice: (state: ServiceState) => readonly string[]
}

/** Throws for a system without a way to run services. */
export function serviceSystem(service: UserService, place: ServicePlace, machine: ServiceMachine): ServiceSystem {
  if (place.platform === 'linux') return systemd(service, place, machine)
  if (place.platform === 'darwin') return launchd(service, place, machine)
  if (place.platform === 'win32') return scheduler(service, place, machine)
  throw new Error(`Services can be installed on Linux, macOS and Windows, and this system is ${place.platform}.`)
}

const required = async (machine: ServiceMachine, program: string, ...args: string[]): Promise<void> => {
  const { code, text } = await machine.call(program, args)
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${text.trim().slice(0, 1_000) || `exit status ${code}`}`)
}

function systemd({ name, ...service }: UserService, { configHome, user }: ServicePlace, machine: ServiceMachine): ServiceSystem {
  const unit = `${name}.service`
  const where = pathsOf('linux').join(configHome, 'systemd/user', unit)
  const definition = unitText({ name, ...service })
  const control = (...args: string[]) => required(machine, 'systemctl', '--user', ...args)
  return {
    where,
    definition,
    // With what is before and after it: a path may end like another one.
    signs: [SERVICE_MARK, `EnvironmentFile=-${unitValue(service.settingsFile)}\n`],
    async objection() {
      const { code } = await machine.call('systemctl', ['--user', 'show', '--property=Version'])
      if (code === 127) return 'This machine has no systemd.'
      return code === 0 ? null : `No systemd of user ${user} is running. It runs after a login of that user, but not under su or sudo.`
    },
    installed: async () => machine.read(where),
    async install() {
      machine.write(where, definition, 0o644)
      await control('daemon-reload')
      await control('enable', unit)
      await control('restart', unit)
    },
    stop: () => control('stop', unit),
    async remove() {
      await machine.call('systemctl', ['--user', 'disable', '--now', unit])
      machine.remove(where)
      await machine.call('systemctl', ['--user', 'daemon-reload'])
    },
    async state() {
      const { text } = await machine.call('systemctl', ['--user', 'show', '--property=ActiveState,MainPID,UnitFileState', unit])
      const linger = await machine.call('loginctl', ['show-user', user, '--property=Linger'])
      const pid = Number(/^MainPID=(\d+)$/m.exec(text)?.[1] ?? 0)
      const starts = !/^UnitFileState=enabled/m.test(text) ? 'never' : /^Linger=yes$/m.test(linger.text) ? 'boot' : 'login'
      return { running: /^ActiveState=(?:active|activating|reloading)$/m.test(text), pid: pid === 0 ? null : pid, starts }
    },
    advice: ({ starts }) => [
      ...(starts === 'login'
        ? [`The service ends when you log out. To keep it, and to start it when the machine starts, run: loginctl enable-linger ${user}`]
        : []),
      `Its log: journalctl --user -u ${name}`,
    ],
  }
}

function launchd(service: UserService, { home, uid, dataDir, isCheckout }: ServicePlace, machine: ServiceMachine): ServiceSystem {
  const label = launchLabel(service)
  const where = pathsOf('darwin').join(home, 'Library/LaunchAgents', `${label}.plist`)
  const definition = plistText(service, isCheckout)
  const domain = `gui/${uid}`
  return {
    where,
    definition,
    signs: [SERVICE_MARK, `<string>${xmlText(dataDir)}</string>`],
    async objection() {
      const { code } = await machine.call('launchctl', ['print', domain])
      return code === 0 ? null : 'No desktop session of this user is running. Log in at the screen of this machine first.'
    },
    installed: async () => machine.read(where),
    async install() {
      // An agent that is loaded keeps its old definition.
      await machine.call('launchctl', ['bootout', `${domain}/${label}`])
      machine.write(where, definition, 0o644)
      await required(machine, 'launchctl', 'bootstrap', domain, where)
    },
    // It ends with status 0, and its definition starts it again after a failure only. The manager does not wait for its end.
    stop: null,
    async remove() {
      await machine.call('launchctl', ['bootout', `${domain}/${label}`])
      machine.remove(where)
    },
    async state() {
      const { code, text } = await machine.call('launchctl', ['print', `${domain}/${label}`])
      const pid = Number(/^[\t ]{0,8}pid = (\d{1,10})$/m.exec(text)?.[1] ?? 0)
      return { running: code === 0 && pid > 0, pid: pid === 0 ? null : pid, starts: code === 0 ? 'login' : 'never' }
    },
    advice: () => ['The service runs while you are logged in.'],
  }
}

function scheduler(service: UserService, { user }: ServicePlace, machine: ServiceMachine): ServiceSystem {
  const { name, settingsFile } = service
  const file = pathsOf('win32').join(pathsOf('win32').dirname(settingsFile), `${name}.xml`)
  const definition = taskText(service, user)
  return {
    where: `the task ${name} of the Windows scheduler`,
    definition,
    signs: [SERVICE_MARK, `=${xmlText(settingsFile)}`],
    async objection() {
      const { code } = await machine.call('schtasks.exe', ['/Query', '/FO', 'LIST'])
      return code === 127 ? 'The program schtasks of Windows was not found.' : null
    },
    async installed() {
      const { code, text } = await machine.call('schtasks.exe', ['/Query', '/TN', name, '/XML'])
      return code === 0 ? text : null
    },
    async install() {
      await machine.call('schtasks.exe', ['/End', '/TN', name])
      // The scheduler reads UTF-16 with a byte order mark.
      machine.write(file, Buffer.from(`\ufeff${definition}`, 'utf16le'), 0o600)
      await required(machine, 'schtasks.exe', '/Create', '/TN', name, '/XML', file, '/F')
      await required(machine, 'schtasks.exe', '/Run', '/TN', name)
    },
    stop: null,
    async remove() {
      await machine.call('schtasks.exe', ['/End', '/TN', name])
      await machine.call('schtasks.exe', ['/Delete', '/TN', name, '/F'])
      machine.remove(file)
    },
    async state() {
      const { code, text } = await machine.call('schtasks.exe', ['/Query', '/TN', name, '/FO', 'CSV', '/NH'])
      return { running: code === 0 && /"Running"/.test(text), pid: null, starts: code === 0 ? 'login' : 'never' }
    },
    advice: () => ['The service runs while you are logged in.'],
  }
}
