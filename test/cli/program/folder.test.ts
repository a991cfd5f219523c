// The program folder: what is copied, what names the current version, and what may be unpacked.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { unpackTarball } from '#cli/program/files/archive.ts'
import { copyProgram } from '#cli/program/files/copy.ts'
import { installVersion } from '#cli/program/files/install.ts'
import { fillFrom, packagesIn, tarballName } from '#cli/program/files/packages.ts'
import { isWholeVersion } from '#cli/program/files/tree.ts'
import { currentProgram, runsInPlace, switchProgram, versionsIn } from '#cli/program/folder.ts'
import { isNewer, newerFirst } from '#shared/protocol/version.ts'
import { tarball } from '#test/support/starting/small-program.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

function put(folder: string, files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
    chmodSync(join(folder, path), path.startsWith('bin/') ? 0o755 : 0o644)
  }
  return folder
}
const manifest = (name: string, version: string, more: object = {}) => JSON.stringify({ name, version, ...more })

test('versions have an order, and a suffix comes before the version itself', () => {
  assert.deepEqual(['0.6.0', '0.10.0', '0.6.0-draft', '1.0.0', '0.6.1'].sort(newerFirst), [
    '1.0.0',
    '0.10.0',
    '0.6.1',
    '0.6.0',
    '0.6.0-draft',
  ])
  assert.ok(isNewer('0.6.1', '0.6.0') && !isNewer('0.6.0', '0.6.0') && isNewer('0.6.0', '0.6.0-draft'))
})

test('a program is linked where it may be, copied where others may write it, and brings the packages beside it', async (t) => {
  const folder = temporaryFolder(t)
  const modules = join(folder, 'node_modules')
  const root = put(join(modules, 'voice-studio'), {
    'package.json': manifest('voice-studio', '0.6.0', {
      optionalDependencies: { '@voice-studio/native-x': '1.0.0', absent: '1.0.0', speech: '1.0.0' },
    }),
    'bin/voice-studio.cjs': 'run',
    'node_modules/zod/package.json': manifest('zod', '4.0.0'),
    'open.js': 'open to others',
  })
  chmodSync(join(root, 'open.js'), 0o666)
  mkdirSync(join(root, 'node_modules/.bin'))
  symlinkSync('../zod', join(root, 'node_modules/.bin/zod'))
  put(join(modules, '@voice-studio/native-x'), { 'package.json': manifest('@voice-studio/native-x', '1.0.0'), 'a.node': 'native' })
  put(join(modules, 'speech'), { 'package.json': manifest('speech', '1.0.0', { optionalDependencies: { 'speech-x': '1.0.0' } }) })
  put(join(modules, 'speech-x'), { 'package.json': manifest('speech-x', '1.0.0') })
  const data = join(folder, 'data')
  const install = () =>
    installVersion({ dataFolder: data, name: 'voice-studio', version: '0.6.0', fill: (to) => copyProgram(root, to), isNew: false })
  const made = await install()
  assert.equal(made, join(data, 'program/0.6.0'))
  assert.ok(isWholeVersion(made))
  assert.equal(statSync(join(made, 'bin/voice-studio.cjs')).ino, statSync(join(root, 'bin/voice-studio.cjs')).ino)
  assert.notEqual(statSync(join(made, 'open.js')).ino, statSync(join(root, 'open.js')).ino)
  assert.equal(lstatSync(join(made, 'open.js')).mode & 0o777, 0o644)
  for (const path of ['@voice-studio/native-x/a.node', 'speech/package.json', 'speech-x/package.json'])
    assert.ok(existsSync(join(made, 'node_modules', path)), path)
  assert.ok(!existsSync(join(made, 'node_modules/.bin')) && !existsSync(join(made, 'node_modules/absent')))
  assert.equal(await install(), made, 'a second start copies nothing')

  for (const spoil of [
    () => writeFileSync(join(made, 'more.js'), ''),
    () => chmodSync(join(made, 'open.js'), 0o666),
    () => writeFileSync(join(made, 'open.js'), 'shorter'),
  ]) {
    spoil()
    assert.ok(!isWholeVersion(made))
    await install()
    assert.ok(isWholeVersion(made), 'a folder that was changed is replaced')
  }
  symlinkSync('/etc/passwd', join(root, 'away.js'))
  await assert.rejects(
    installVersion({ dataFolder: data, name: 'voice-studio', version: '0.6.1', fill: (to) => copyProgram(root, to), isNew: false }),
    /away\.js is no plain file/,
  )
  assert.deepEqual(versionsIn(data), ['0.6.0'])
})

test('a full disk is a sentence, and leaves nothing', async (t) => {
  const data = temporaryFolder(t)
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const fill = (to: string) => {
    writeFileSync(join(to, 'a'), '')
    throw full
  }
  await assert.rejects(
    installVersion({ dataFolder: data, name: 'a', version: '0.6.1', fill, isNew: true }),
    /could not be written .*Free some space/,
  )
  assert.deepEqual(versionsIn(data), [])
})

test('a link names the current version, on Windows a file', async (t) => {
  const data = temporaryFolder(t)
  mkdirSync(join(data, 'program/0.6.1'), { recursive: true })
  assert.equal(currentProgram(data), null)
  await switchProgram(data, '0.6.0')
  await switchProgram(data, '0.6.1')
  assert.equal(readlinkSync(join(data, 'program/current')), '0.6.1')
  assert.deepEqual(currentProgram(data), { version: '0.6.1', path: join(data, 'program/0.6.1') })
  assert.ok(runsInPlace(join(data, 'program/0.6.1'), data) && !runsInPlace(join(data, '0.6.1'), data))
  await switchProgram(data, '0.6.0', 'win32')
  assert.equal(readFileSync(join(data, 'program/current.txt'), 'utf8'), '0.6.0\n')
  assert.equal(currentProgram(data, 'win32')?.version, '0.6.0')
  writeFileSync(join(data, 'program/current.txt'), '../../elsewhere')
  assert.equal(currentProgram(data, 'win32'), null)
})

test('only packages whose digest is in SHA256SUMS are installed', async (t) => {
  const folder = temporaryFolder(t)
  const to = join(folder, 'to')
  const current = put(join(folder, 'current'), { 'node_modules/@voice-studio/native-linux-x64/package.json': manifest('n', '1.0.0') })
  const write = (name: string, version: string, files: Record<string, string>) => {
    const bytes = tarball(files)
    writeFileSync(join(folder, tarballName(name, version)), bytes)
    return `${createHash('sha256').update(bytes).digest('hex')}  ${tarballName(name, version)}\n`
  }
  assert.throws(() => packagesIn(folder, 'voice-studio'), /has no file SHA256SUMS/)
  const optionalDependencies = { '@voice-studio/native-linux-x64': '1.0.0', '@voice-studio/native-win32-x64': '1.0.0' }
  const program = { 'package.json': manifest('voice-studio', '0.6.1', { optionalDependencies }), 'bin/voice-studio.cjs': '' }
  const line = write('voice-studio', '0.6.1', program)
  writeFileSync(join(folder, 'SHA256SUMS'), line + write('voice-studio-agent', '0.7.0', program))
  const packages = packagesIn(folder, 'voice-studio')
  assert.equal(packages.version, '0.6.1')
  const fill = (path: string, from = current) => fillFrom({ packages, name: 'voice-studio', current: from, system: 'linux-x64' }, path)
  await fill(to)
  assert.ok(
    existsSync(join(to, 'node_modules/@voice-studio/native-linux-x64/package.json')),
    'a part that is the same comes from the current version',
  )
  assert.ok(!existsSync(join(to, 'node_modules/@voice-studio/native-win32-x64')))
  await assert.rejects(
    fill(join(folder, 'other'), folder),
    /has no voice-studio-native-linux-x64-1\.0\.0\.tgz, which version 0\.6\.1 needs/,
  )
  writeFileSync(join(folder, tarballName('voice-studio', '0.6.1')), tarball({ ...program, 'evil.js': '' }))
  await assert.rejects(fill(join(folder, 'third')), /its digest differs\. Nothing was installed/)
})

test('parts that need each other are filled once, and one that would be lost stops the update', async (t) => {
  const folder = temporaryFolder(t)
  const manifestOf = (name: string, version: string, optionalDependencies: Record<string, string>) =>
    manifest(name, version, { optionalDependencies })
  let count = 0
  const fill = async (parts: Record<string, string>, current = folder) => {
    const fetch = async (name: string) => (name in parts ? tarball({ 'package.json': parts[name]! }) : null)
    const to = join(folder, `to-${count++}`)
    await fillFrom({ packages: { version: '0.6.1', fetch, place: folder }, name: 'voice-studio', current, system: 'linux-x64' }, to)
    return to
  }
  const program = (optionalDependencies: Record<string, string>) => ({
    'voice-studio': manifestOf('voice-studio', '0.6.1', optionalDependencies),
  })
  const [a, b] = [manifestOf('a', '1.0.0', { b: '^1.0.0' }), manifestOf('b', '1.0.0', { a: '1.0.0' })]
  const filled = await fill({ ...program({ a: '1.0.0', b: '1.0.0' }), a, b })
  assert.ok(existsSync(join(filled, 'node_modules/a/package.json')) && existsSync(join(filled, 'node_modules/b/package.json')))
  const b2 = manifestOf('b', '2.0.0', {})
  await assert.rejects(fill({ ...program({ a: '1.0.0', b: '2.0.0' }), a, b }), /b-2\.0\.0\.tgz contains b 1\.0\.0/)
  await assert.rejects(fill({ ...program({ b: '2.0.0', a: '1.0.0' }), a, b: b2 }), /needs b both as 2\.0\.0 and as \^1\.0\.0/)
  const current = put(join(folder, 'current'), { 'node_modules/a/package.json': manifest('a', '1.0.0') })
  const speech = { speech: manifestOf('speech', '1.13.8', { 'speech-linux-x64': '^1.13.8', 'speech-darwin-x64': '^1.13.8' }) }
  for (const [version, isPermitted] of [
    ['1.13.8', true],
    ['1.14.0', true],
    ['1.13.7', false],
    ['2.0.0', false],
  ] as const) {
    const machine = put(join(folder, version), { 'node_modules/speech-linux-x64/package.json': manifest('speech-linux-x64', version) })
    const filling = fill({ ...program({ speech: '1.13.8' }), ...speech }, machine)
    if (isPermitted) assert.ok(existsSync(join(await filling, 'node_modules/speech-linux-x64/package.json')), version)
    else await assert.rejects(filling, /has no speech-linux-x64-1\.13\.8\.tgz/, version)
  }
  await assert.rejects(fill(program({ a: '1.1.0' }), current), /has no a-1\.1\.0\.tgz, which version 0\.6\.1 needs/)
  put(folder, { 'away/package.json': manifest('away', '1.0.0') })
  for (const name of ['../away', '..', 'x/../../away', '@x/../..', 'a\0', '/away'])
    await assert.rejects(fill(program({ [name]: '1.0.0' }), join(folder, 'current')), name)
  assert.deepEqual(
    readdirSync(folder).filter((name) => /away/.test(name)),
    ['away'],
  )
})

test('a tarball with links, odd names or damage is refused', (t) => {
  const folder = temporaryFolder(t)
  const refused = (bytes: Buffer, message: RegExp) => assert.throws(() => unpackTarball(bytes, join(folder, 'out'), 'a.tgz'), message)
  unpackTarball(tarball({ [`${'long/'.repeat(40)}name.js`]: 'long' }), join(folder, 'long'), 'a.tgz')
  assert.equal(readFileSync(join(folder, 'long', 'long/'.repeat(40), 'name.js'), 'utf8'), 'long')
  for (const name of ['../away.js', 'a/../../away.js', '/etc/away', 'a\\b', 'a//b', 'C:\\x', 'nul\u0001', 'ends.'])
    refused(tarball({ [name]: '' }), /contains the name/)
  refused(tarball({ 'a.js': '' }, '2'), /is no plain file/)
  refused(Buffer.from('no archive'), /cannot be unpacked/)
  refused(gzipSync(Buffer.alloc(1024)), /it is empty/)
  refused(tarball({ 'twice.js': '', 'twice.js/b': '' }), /contains "package\/twice\.js\/b" twice/)
  refused(tarball({ 'twice/b': '', twice: '' }), /cannot be unpacked/)
  refused(tarball({ [`${'long/'.repeat(14_000)}a`]: '' }), /it is damaged/)
  const whole = tarball({ 'a.js': 'x'.repeat(600) })
  refused(whole.subarray(0, whole.length - 20), /cannot be unpacked/)
  refused(gzipSync(Buffer.alloc(512, 'a')), /it is damaged/)
})
