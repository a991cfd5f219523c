import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { PACKAGES } from '#shared/protocol/version.ts'
import { userSystemd } from '#test/support/services/user-systemd.ts'
import { jsonIn, studio } from '#test/support/world/cli.ts'
import { eventually, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const skip = process.platform === 'linux' ? false : 'a stand-in of systemd'
const open = sharedWorld({ withoutAgent: true })

test('join installs the service of the agent, which connects, and the code stays nowhere; uninstall keeps the data', {
  skip,
}, async (t) => {
  const world = await open()
  await world.post('/workers/enabled', { enabled: true })
  const { token } = (await world.post('/workers/enrollments', { label: 'attic' })).json()
  const folder = temporaryFolder(t)
  const dataDir = join(folder, 'data')
  const systemd = userSystemd(t, folder)
  const env = { HOME: folder, STUDIO_DATA_DIR: dataDir, STUDIO_LOG_FORMAT: 'json', ...systemd.env }
  const agent = (...words: string[]) => studio(['agent', ...words], { env })

  const joined = await agent('join', token)
  assert.equal(joined.code, 0, joined.errors)
  assert.match(joined.output, /^Joined .*\nThe service voice-studio-agent is installed: .*\n/)
  assert.match(joined.output, /\nLending: connected, waiting for approval in studio .*\n/, systemd.journal())
  const { workers } = (await world.get('/workers')).json()
  assert.deepEqual(
    workers.map(({ name, connected, consent_granted }: Record<string, unknown>) => [name, connected, consent_granted]),
    [['attic', true, false]],
  )
  const unit = systemd.unit(PACKAGES.agent)
  const settings = join(dataDir, 'service/agent.env')
  for (const text of [unit, settings].map((path) => readFileSync(path, 'utf8')).concat(systemd.calls().join('\n')))
    assert.ok(!text.includes(token) && !text.includes('svcj_'), text)
  assert.doesNotMatch(readFileSync(`/proc/${systemd.pid()}/cmdline`, 'utf8'), /svcj_/)
  assert.equal(readFileSync(settings, 'utf8'), "STUDIO_LOG_FORMAT='json'\n")
  assert.equal(statSync(settings).mode & 0o777, 0o600)

  const { output } = await agent('service')
  assert.match(
    output,
    /^Service voice-studio-agent: running \(process \d+\)\. It starts with the machine\.\nDefinition: .*\nSettings: .* \(STUDIO_LOG_FORMAT\)\n/,
  )
  const removed = await agent('uninstall', '--json')
  assert.equal(removed.code, 0, removed.errors)
  const { removed: gone, kept } = jsonIn(removed.output)
  assert.deepEqual(gone, ['The service voice-studio-agent'])
  assert.match(kept.join('\n'), /^Your data in .*: the identity of this machine.*\nThis checkout: /)
  assert.deepEqual([existsSync(unit), systemd.pid(), existsSync(join(dataDir, 'agent/identity.json'))], [false, null, true])
  await eventually(async () => (await agent('uninstall', '--delete-data')).code === 0)
  assert.equal(existsSync(dataDir), false)
})

test('service install asks before it replaces a unit that is not its own; without systemd it says why', { skip }, async (t) => {
  const folder = temporaryFolder(t)
  const systemd = userSystemd(t, folder)
  const env = { HOME: folder, STUDIO_DATA_DIR: join(folder, 'data'), STUDIO_API_KEY: 'correct-horse-battery', ...systemd.env }
  const unit = systemd.unit(PACKAGES.studio)
  mkdirSync(dirname(unit), { recursive: true })
  writeFileSync(unit, '[Service]\nExecStart=/bin/true\n')
  const refused = await studio(['service', 'install'], { env })
  assert.equal(refused.code, 2)
  assert.match(refused.errors, /is not from this program and this data folder\. Replace it\? .*Add the option --yes/)
  assert.match((await studio(['service', 'remove'], { env })).output, /^No service voice-studio is installed here\. .* stays\.\n$/)
  assert.equal(readFileSync(unit, 'utf8'), '[Service]\nExecStart=/bin/true\n')
  assert.match((await studio(['service', 'status'], { env })).output, /Replace it with \.\/studio service install/)

  const none = await studio(['service', 'install', '--yes'], { env: { ...env, PATH: process.env['PATH'] ?? '' } })
  assert.deepEqual([none.code, /systemd/.test(none.errors)], [1, true], none.errors)
  assert.equal(existsSync(join(folder, 'data/service')), false, 'nothing is written where no service can be')
  for (const args of [
    ['service', 'dance'],
    ['service', 'remove', '--yes'],
    ['uninstall', 'now'],
  ])
    assert.equal((await studio(args, { env })).code, 2)
})

test('uninstall never deletes a folder that has more than its own data', { skip }, async (t) => {
  const folder = temporaryFolder(t)
  const systemd = userSystemd(t, folder)
  for (const dataDir of [folder, join(folder, 'other')]) {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(join(dataDir, 'letter.txt'), 'mine')
    for (const name of ['program', 'service']) {
      mkdirSync(join(dataDir, name))
      writeFileSync(join(dataDir, name, 'work.txt'), 'mine')
    }
    const { code, output } = await studio(['uninstall', '--delete-data'], {
      env: { HOME: folder, STUDIO_DATA_DIR: dataDir, ...systemd.env },
    })
    assert.equal(code, 0)
    assert.match(output, /^Stays: .* (?:has more than the data of this program\. Delete that yourself|has no data of this program)\.\n/)
    for (const name of ['letter.txt', 'program/work.txt', 'service/work.txt']) assert.ok(existsSync(join(dataDir, name)), name)
  }
})
