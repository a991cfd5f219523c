import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServicePlace } from '#cli/service/place.ts'
import { serviceOf } from '#cli/service/service.ts'
import { originOf } from '#cli/service/services.ts'
import { type ServiceMachine, serviceSystem } from '#cli/service/system.ts'

const PLACE: ServicePlace = {
  platform: 'linux',
  home: '/srv/ada',
  configHome: '/srv/ada/.config',
  user: 'ada',
  uid: 1000,
  dataDir: '/srv/ada/data',
  root: '/opt/checkout',
  isCheckout: true,
  node: '/usr/bin/node',
  path: '/usr/bin',
}

/** A machine whose programs answer with `answers`, by a part of the command line, and succeed in silence otherwise. */
function machineWith(answers: Readonly<Record<string, { readonly code?: number; readonly text?: string }>>) {
  const calls: string[] = []
  const files = new Map<string, string | Uint8Array>()
  const machine: ServiceMachine = {
    async call(program, args) {
      const line = [program, ...args].join(' ')
      calls.push(line)
      const [, { code = 0, text = '' } = {}] = Object.entries(answers).find(([part]) => line.includes(part)) ?? []
      return { code, text }
    },
    read: (path) => files.get(path)?.toString() ?? null,
    write: (path, content) => void files.set(path, content),
    remove: (path) => void files.delete(path),
  }
  return { machine, calls, files }
}
const systemOn = (change: Partial<ServicePlace>, answers: Parameters<typeof machineWith>[0] = {}) => {
  const place = { ...PLACE, ...change }
  const made = machineWith(answers)
  return { ...made, system: serviceSystem(serviceOf('agent', place), place, made.machine) }
}

test('systemd: the unit is written, loaded, enabled and started, and removed again', async () => {
  const { system, calls, files } = systemOn(
    {},
    {
      'show --property=ActiveState': { text: 'ActiveState=active\nMainPID=41\nUnitFileState=enabled\n' },
      loginctl: { text: 'Linger=no\n' },
    },
  )
  assert.deepEqual([await system.objection(), await system.installed()], [null, null])
  await system.install()
  const unit = 'voice-studio-agent.service'
  assert.equal(system.where, `/srv/ada/.config/systemd/user/${unit}`)
  assert.equal(files.get(system.where), system.definition)
  assert.deepEqual(
    calls.slice(1),
    ['daemon-reload', `enable ${unit}`, `restart ${unit}`].map((words) => `systemctl --user ${words}`),
  )
  const state = await system.state()
  assert.deepEqual(state, { running: true, pid: 41, starts: 'login' })
  assert.match(system.advice(state)[0] ?? '', /ends when you log out\. .* run: loginctl enable-linger ada$/)
  assert.equal(system.advice({ ...state, starts: 'boot' }).length, 1)
  await system.remove()
  assert.equal(files.size, 0)
  assert.ok(calls.includes(`systemctl --user disable --now ${unit}`))
})

test('a machine without the service manager of its system says why, and a failing one reports what it printed', async () => {
  assert.equal(await systemOn({}, { systemctl: { code: 127 } }).system.objection(), 'This machine has no systemd.')
  assert.match(
    (await systemOn({}, { systemctl: { code: 1 } }).system.objection()) ?? '',
    /No systemd of user ada is running\..* su or sudo/,
  )
  assert.match((await systemOn({ platform: 'darwin' }, { print: { code: 113 } }).system.objection()) ?? '', /Log in at the screen/)
  await assert.rejects(
    systemOn({}, { enable: { code: 1, text: 'Failed to enable\n' } }).system.install(),
    /^Error: systemctl --user enable voice-studio-agent\.service failed: Failed to enable$/,
  )
  assert.throws(() => systemOn({ platform: 'freebsd' }), /on Linux, macOS and Windows, and this system is freebsd/)
})

test('launchd: an older definition is unloaded before the new one is loaded', async () => {
  const { system, calls, files } = systemOn({ platform: 'darwin', home: '/srv/mac' }, { 'print gui/1000/local': { text: '\tpid = 7\n' } })
  await system.install()
  assert.equal(system.where, '/srv/mac/Library/LaunchAgents/local.voice-studio-agent.plist')
  assert.deepEqual(
    calls,
    ['bootout gui/1000/local.voice-studio-agent', `bootstrap gui/1000 ${system.where}`].map((words) => `launchctl ${words}`),
  )
  assert.deepEqual(await system.state(), { running: true, pid: 7, starts: 'login' })
  assert.ok(files.has(system.where))
  await system.remove()
  assert.equal(files.size, 0)
})

test('Windows: the task is created from a file in UTF-16 and started', async () => {
  const windows = { platform: 'win32', dataDir: 'C:\\data', root: 'C:\\checkout', node: 'C:\\node.exe', user: 'PC\\Ada' } as const
  const { system, calls, files } = systemOn(windows, {
    CSV: { text: '"\\voice-studio-agent","N/A","Running"\r\n' },
    '/XML': { text: 'a task' },
  })
  await system.install()
  const [path = '', content = ''] = [...files][0] ?? []
  assert.equal(path, 'C:\\data\\service\\voice-studio-agent.xml')
  assert.equal(Buffer.from(content as Uint8Array).toString('utf16le'), `\ufeff${system.definition}`)
  assert.deepEqual(calls.slice(1), [
    `schtasks.exe /Create /TN voice-studio-agent /XML ${path} /F`,
    'schtasks.exe /Run /TN voice-studio-agent',
  ])
  assert.equal(await system.installed(), 'a task')
  assert.deepEqual(await system.state(), { running: true, pid: null, starts: 'login' })
  await system.remove()
  assert.equal(files.size, 0)
})

test('a definition is ours only with our mark and our data folder', () => {
  for (const change of [{}, { platform: 'darwin' }, { platform: 'win32', dataDir: 'C:\\data', root: 'C:\\r', node: 'C:\\n' }] as const) {
    const { system } = systemOn(change)
    const other = systemOn({ ...change, dataDir: change.platform === 'win32' ? 'C:\\other' : '/other' }).system
    assert.deepEqual(
      [null, system.definition, other.definition, '[Unit]\n'].map((text) => originOf(text, system)),
      ['none', 'ours', 'foreign', 'foreign'],
    )
  }
  const { system } = systemOn({})
  const longer = systemOn({ dataDir: '/mnt/srv/ada/data' }).system
  assert.equal(originOf(longer.definition, system), 'foreign', 'its path ends like ours')
})
