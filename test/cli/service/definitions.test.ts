import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { plistText } from '#cli/service/launchd.ts'
import { type ServicePlace, servicePath } from '#cli/service/place.ts'
import { taskText } from '#cli/service/scheduled-task.ts'
import { NODE_FLAGS, SERVICE_MARK, serviceOf } from '#cli/service/service.ts'
import { settingsIn, settingsText } from '#cli/service/settings-file.ts'
import { START_CURRENT } from '#cli/service/start-path.ts'
import { unitText } from '#cli/service/systemd.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { REPOSITORY, runToEnd } from '#test/support/world/cli.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const LINUX: ServicePlace = {
  platform: 'linux',
  home: '/srv/ada',
  configHome: '/srv/ada/.config',
  user: 'ada',
  uid: 1000,
  dataDir: '/srv/ada/.local/share/voice-studio',
  root: '/opt/checkout',
  isCheckout: false,
  node: '/opt/node 24/bin/node',
  path: '/usr/local/bin:/srv/ada/.npm/_npx/1/node_modules/.bin:relative:/usr/bin',
}
const MAC: ServicePlace = {
  ...LINUX,
  platform: 'darwin',
  home: '/srv/mac',
  dataDir: '/srv/mac/A & B',
  path: '/opt/homebrew/bin:/usr/bin',
}
const WINDOWS: ServicePlace = {
  ...LINUX,
  platform: 'win32',
  home: 'C:\\Users\\Ada',
  configHome: 'C:\\Users\\Ada\\.config',
  user: 'PC\\Ada',
  dataDir: 'C:\\Users\\Ada\\voice studio',
  root: 'C:\\checkout',
  node: 'C:\\Program Files\\nodejs\\node.exe',
  path: 'C:\\Windows\\system32',
}

test('a service of a package starts the current version of the program with the Node of the command', () => {
  // In this checkout the command is ./studio; a package has its own name (test/release/packages.test.ts).
  assert.deepEqual(serviceOf('agent', LINUX).words, [LINUX.node, `${LINUX.dataDir}/program/current/bin/studio.cjs`, 'agent'])
  assert.deepEqual(serviceOf('studio', { ...LINUX, isCheckout: true }).words, ['/opt/checkout/studio', 'start'])
  assert.deepEqual(serviceOf('agent', { ...MAC, isCheckout: true }).words, ['/opt/checkout/studio', 'agent'])
  assert.deepEqual(serviceOf('agent', { ...WINDOWS, isCheckout: true }).words.slice(-2), ['C:\\checkout\\cli\\main.ts', 'agent'])
  assert.ok(readFileSync(join(REPOSITORY, 'studio'), 'utf8').includes(`exec node ${NODE_FLAGS.join(' ')} "`))
  assert.equal(serviceOf('agent', WINDOWS).words[1], 'C:\\Users\\Ada\\voice studio\\program\\start.cjs')
  assert.equal(servicePath(LINUX), '/opt/node 24/bin:/usr/local/bin:/usr/bin')
  assert.equal(
    servicePath({ ...LINUX, path: '/usr/bin:/a"b:/a\nExecStartPre=/bin/false:/bin' }),
    '/opt/node 24/bin:/usr/bin:/bin',
    'no folder ends the value',
  )
  assert.throws(() => serviceOf('agent', { ...LINUX, dataDir: '/x\nExecStart=/bin/sh' }), /cannot be written for the path "\/x\\nExec/)
})

test('a unit of systemd holds the words and the environment literally, and systemd accepts it', async (t) => {
  const odd = { ...LINUX, dataDir: '/data/100% $HOME "x'.replace('"', "'"), root: '/opt/a b', isCheckout: true }
  const text = unitText(serviceOf('studio', odd))
  assert.ok(text.includes('\nExecStart="/opt/a b/studio" "start"\n'), text)
  assert.ok(text.includes(`\nEnvironment="STUDIO_DATA_DIR=/data/100%% $HOME 'x"\n`), text)
  assert.ok(text.includes(`\nEnvironmentFile=-/data/100%% $HOME 'x/service/studio.env\n`), text)
  for (const line of [
    'Restart=on-failure',
    'StartLimitBurst=5',
    'RestartPreventExitStatus=78',
    'NoNewPrivileges=yes',
    'KillMode=mixed',
    'UMask=0077',
  ])
    assert.ok(text.includes(`\n${line}\n`), line)
  assert.doesNotMatch(text, /^(?:User|Protect|Private)\w*=/m, 'a user has no right to these')
  await verified(t, text)
})

async function verified(t: TestContext, text: string) {
  const analyze = findProgram('systemd-analyze', process.env['PATH'])
  if (!analyze) return t.diagnostic('not verified: systemd-analyze is not installed')
  const folder = temporaryFolder(t)
  const program = join(folder, 'a b')
  mkdirSync(program)
  writeFileSync(join(program, 'studio'), '#!/bin/sh\n', { mode: 0o755 })
  const unit = join(folder, 'voice-studio.service')
  writeFileSync(unit, text.replace('/opt/a b', program))
  const { status, stderr } = spawnSync(analyze, ['verify', '--user', '--man=no', unit], {
    encoding: 'utf8',
    env: { XDG_RUNTIME_DIR: folder },
  })
  const complaints = stderr.split('\n').filter((line) => line.includes('voice-studio.service'))
  assert.deepEqual([status, complaints], [0, []], stderr)
}

test('a property list of launchd escapes texts and starts again after failures only', () => {
  const text = plistText(serviceOf('agent', MAC), false)
  for (const part of [
    SERVICE_MARK,
    '<key>Label</key><string>local.voice-studio-agent</string>',
    '<string>--env-file-if-exists=/srv/mac/A &amp; B/service/agent.env</string>',
    '<key>STUDIO_DATA_DIR</key><string>/srv/mac/A &amp; B</string>',
    '<string>/opt/node 24/bin:/opt/homebrew/bin:/usr/bin</string>',
    '<key>SuccessfulExit</key><false/>',
  ])
    assert.ok(text.includes(part), `${part}\n${text}`)
  assert.doesNotMatch(
    plistText(serviceOf('agent', { ...MAC, isCheckout: true }), true),
    /env-file/,
    'a shell script takes no options of Node',
  )
})

test('a task of Windows quotes its words and runs without more rights than its user', () => {
  const text = taskText(serviceOf('agent', WINDOWS), WINDOWS.user)
  for (const part of [
    '<Command>C:\\Program Files\\nodejs\\node.exe</Command>',
    '<Arguments>"--env-file-if-exists=C:\\Users\\Ada\\voice studio\\service\\agent.env" "C:\\Users\\Ada\\voice studio\\program\\start.cjs" "studio" "agent"</Arguments>',
    '<UserId>PC\\Ada</UserId>',
    '<RunLevel>LeastPrivilege</RunLevel>',
    '<RestartOnFailure><Interval>PT1M</Interval><Count>5</Count></RestartOnFailure>',
    SERVICE_MARK,
  ])
    assert.ok(text.includes(part), `${part}\n${text}`)
})

test('on Windows a file starts the version that current.txt names', async (t) => {
  const programs = temporaryFolder(t)
  mkdirSync(join(programs, '0.6.1/bin'), { recursive: true })
  writeFileSync(join(programs, '0.6.1/bin/studio.cjs'), 'console.log(JSON.stringify(process.argv.slice(2)))')
  writeFileSync(join(programs, 'current.txt'), '0.6.1\r\n')
  writeFileSync(join(programs, 'start.cjs'), START_CURRENT)
  const { output, errors } = await runToEnd(process.execPath, [join(programs, 'start.cjs'), 'studio', 'agent'])
  assert.equal(output, '["agent"]\n', errors)
})

test('settings of the terminal replace earlier ones in the settings file, and others stay', () => {
  const first = settingsText('', { STUDIO_PORT: '4000', PATH: '/bin', STUDIO_API_KEY: 'a"b $c' })
  assert.equal(first, `STUDIO_PORT='4000'\nSTUDIO_API_KEY='a"b $c'\n`)
  const second = settingsText(`# mine\n${first}`, { STUDIO_PORT: '5000' })
  assert.equal(second, `# mine\nSTUDIO_API_KEY='a"b $c'\nSTUDIO_PORT='5000'\n`)
  assert.deepEqual(settingsIn(second), ['STUDIO_API_KEY', 'STUDIO_PORT'])
  for (const value of ["it's", 'a\nb'])
    assert.throws(() => settingsText('', { STUDIO_PORT: value }), /The value of STUDIO_PORT has a character/)
})
