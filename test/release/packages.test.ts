// The packages install and work, without a network: packed, installed into empty folders by npm, and used as a person uses them. Two minutes; the
// short form is modules.test.ts.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { after, test } from 'node:test'
import { joinLines } from '#shared/protocol/codes/join-code.ts'
import { COMMAND, PACKAGES, PUBLISHED, VERSION } from '#shared/protocol/version.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { runToEnd } from '#test/support/world/cli.ts'
import { type Program, startProgram } from '#test/support/world/process.ts'
import { eventually, freePort, temporaryFolder } from '#test/support/world/world.ts'
import { nativeName, nativePlatforms } from '#tools/release/natives.ts'
import { pack } from '#tools/release/pack.ts'

const OWN = `${process.platform}-${process.arch}`
const skip = isLongRun ? !nativePlatforms().includes(OWN) && `no native package for ${OWN}` : 'long: ./studio test --long'
/** Megabytes on the disk with the native package and the speech library; 16 of each are the embedded voice. */
const LIMITS = { [PACKAGES.studio]: 170 + 16, [PACKAGES.agent]: 130 + 16 }
/** Bytes that npm installs beside a package where there is a network. */
const SPEECH_LIBRARY = 32e6

const endings: (() => unknown)[] = []
const world = { after: (run: () => unknown) => void endings.unshift(run) }
after(async () => {
  for (const end of endings) await end()
})

const folder = temporaryFolder(world)
const filesOf = (root: string): string[] =>
  readdirSync(root, { withFileTypes: true, recursive: true })
    .flatMap((entry) => (entry.isFile() ? [relative(root, join(entry.parentPath, entry.name))] : []))
    .sort()
const rootOf = (name: string) => join(folder, name, 'node_modules', name)
const binOf = (name: string) => join(folder, name, 'node_modules/.bin', name)
const run = (name: string, args: readonly string[], env: Record<string, string> = {}) =>
  runToEnd(process.execPath, [binOf(name), ...args], { env: { HOME: folder, ...env }, cwd: folder })

let packed: ReturnType<typeof pack> = []
const tarballOf = (name: string) => {
  const found = packed.find((each) => each.name === name)
  assert.ok(found, `${name} was not packed`)
  return found.file
}

test('npm installs the packed programs without a network and without a script', { skip }, async () => {
  packed = pack({ out: join(folder, 'out'), draft: true, only: [PACKAGES.studio, PACKAGES.agent, nativeName(OWN)] })
  for (const name of [PACKAGES.studio, PACKAGES.agent]) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'package.json'), '{}')
    const options = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')]
    const installed = await runToEnd('npm', ['install', ...options, tarballOf(nativeName(OWN)), tarballOf(name)], {
      cwd: join(folder, name),
    })
    assert.equal(installed.code, 0, installed.errors)
    const listed = await runToEnd('npm', ['ls', '--all', '--json', '--offline'], { cwd: join(folder, name) })
    assert.deepEqual(JSON.parse(listed.output).problems ?? [], [], `${name}: ${listed.errors}`)
  }
})

test('the line for packed files installs the agent from the files of a release', { skip }, async () => {
  const [place, line] = [join(folder, 'line'), joinLines().find(({ way }) => way === 'files')!.line]
  mkdirSync(place)
  for (const name of [PACKAGES.agent, nativeName(OWN)]) copyFileSync(tarballOf(name), join(place, basename(tarballOf(name))))
  // A release has those of other systems, too.
  writeFileSync(join(place, basename(tarballOf(nativeName(OWN))).replace(OWN, 'plan9-x64')), 'not for this system')
  const env = { HOME: folder, npm_config_cache: join(folder, 'cache') }
  const { code, output, errors } = await runToEnd('sh', ['-euc', line.replace('join CODE', '--version')], { cwd: place, env })
  assert.equal(code, 0, errors)
  assert.match(output, new RegExp(`\\b${VERSION.replaceAll('.', '\\.')}\\b`))
})

test('a package has what its program loads, licences of the rest, and nothing of developers', { skip }, (t) => {
  for (const name of [PACKAGES.studio, PACKAGES.agent]) {
    const files = filesOf(rootOf(name))
    const own = files.filter((file) => !file.startsWith('node_modules/'))
    const foreign = files.filter((file) => /^(?:.*\/)?package\.json$/.test(file) && file.startsWith('node_modules/'))
    assert.deepEqual(
      own.filter((file) => /^(?:test|bench|tools|docs|toolchain)\/|\.tsx$|\.map$|(?<!control-plane\/web\/again)\.ts$/.test(file)),
      [],
    )
    const manifest = JSON.parse(readFileSync(join(rootOf(name), 'package.json'), 'utf8'))
    assert.deepEqual([manifest.name, manifest.license, manifest.engines.node, manifest.scripts], [name, 'Apache-2.0', '>=22.18', undefined])
    const manual = readFileSync(join(rootOf(name), manifest.man), 'utf8')
    const shown = name.replaceAll('-', '\\-')
    const command = name === PACKAGES.studio ? 'say' : 'join'
    assert.ok(manual.startsWith(`.TH ${name.toUpperCase()} 1 `))
    for (const part of [
      `.SH NAME\n${shown} \\- `,
      `${shown} ${command} `,
      `${shown} rollback`,
      '.SH EXIT STATUS',
      `Voice Studio ${VERSION}`,
    ])
      assert.ok(manual.includes(part), part)
    assert.ok(!manual.includes(COMMAND.replaceAll('-', '\\-')))
    assert.equal(manifest.private, PUBLISHED ? undefined : true, 'names that are not ours yet cannot be published by accident')
    const licences = readFileSync(join(rootOf(name), 'THIRD-PARTY-LICENSES.txt'), 'utf8')
    for (const path of foreign) {
      const { name: of, version, scripts } = JSON.parse(readFileSync(join(rootOf(name), path), 'utf8'))
      if (version === undefined) continue // a manifest inside a package that only says how its modules are read
      assert.ok(licences.includes(`${of} ${version} (`), `${name} has no licence of ${of} ${version}`)
      assert.equal(scripts, undefined, path)
    }
    for (const part of ['agent/engine/tts/heart/assets', 'agent/engine/vad/silero/assets', 'agent/engine/speech/english/assets']) {
      assert.ok(own.includes(`${part}/LICENSE`), part)
      assert.ok(licences.includes(`Files in ${part}\n`), part)
    }
    const bytes = filesOf(join(folder, name)).reduce((sum, file) => sum + statSync(join(folder, name, file)).size, SPEECH_LIBRARY)
    t.diagnostic(`${name}: ${(statSync(tarballOf(name)).size / 1e6).toFixed(1)} MB packed, ${(bytes / 1e6).toFixed(1)} MB installed`)
    assert.ok(bytes / 1e6 < (LIMITS[name] ?? 0), `${name} takes ${bytes / 1e6} MB`)
    for (const file of own.filter((each) => each.endsWith('.js') && !each.includes('/dist/')))
      for (const [line] of readFileSync(join(rootOf(name), file), 'utf8').matchAll(/^.*(?:'|\$\{)\.\/studio[ '].*$/gm))
        assert.match(line, /^import |import\('\.\/studio\.js'\)|^\s*(?:\/\/|\*)/, `${file} names ${COMMAND}, which a package does not have`)
  }
  const control = filesOf(rootOf(PACKAGES.agent)).filter((file) => file.startsWith('control-plane'))
  assert.deepEqual(control, [], 'the package for lenders has no part of the studio')
})

test('the command of a package explains itself to an old Node', { skip }, async () => {
  const old = join(folder, 'old-node.cjs')
  writeFileSync(old, "Object.defineProperty(process, 'versions', { value: { node: '18.20.4' } })\n")
  for (const name of [PACKAGES.studio, PACKAGES.agent]) {
    const { code, errors } = await runToEnd(process.execPath, ['--require', old, binOf(name), '--version'])
    const sentence = `${name}: Node 22.18 or newer is required, and this is Node 18.20.4. Install a newer one from https://nodejs.org and run the command again.\n`
    assert.deepEqual([code, errors], [1, sentence])
  }
})

const studioEnv: Record<string, string> = {}
const agentEnv = { HOME: folder, STUDIO_DATA_DIR: join(folder, 'data-agent') }
let studio: Program
let url = ''
const request = async (path: string, body?: unknown) => {
  const answer = await fetch(url + path, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const start = async () => {
  studio = startProgram(world, [binOf(PACKAGES.studio), 'start'], studioEnv, { cwd: folder })
  ;[, url = ''] = await studio.says(/listens on (http:\S+)/)
}
/** Seconds of sound in a WAV file of 16-bit mono. */
const secondsOf = (wav: Buffer) => (wav.length - 44) / (2 * wav.readUInt32LE(24))
const say = async (input: string) => {
  const { status, bytes } = await request('/v1/audio/speech', { input, response_format: 'wav' })
  assert.equal(status, 200, bytes.toString())
  assert.equal(bytes.toString('latin1', 0, 4), 'RIFF')
  assert.ok(secondsOf(bytes) > 0.3, `${secondsOf(bytes)} s`)
}

test('the installed studio starts, shows its pages, reads a book and speaks', { skip, timeout: 400_000 }, async () => {
  Object.assign(studioEnv, {
    HOME: folder,
    STUDIO_DATA_DIR: join(folder, 'data-studio'),
    STUDIO_PORT: String(await freePort()),
    STUDIO_WORKER_PORT: String(await freePort()),
    STUDIO_WORKER_ENDPOINT_HOST: '127.0.0.1',
  })
  await start()
  assert.equal(JSON.parse((await request('/health')).bytes.toString()).status, 'ok')
  const page = (await request('/')).bytes.toString()
  for (const [, script = ''] of page.matchAll(/<script[^>]* src="([^"]+)"/g))
    assert.equal((await request(`/${script}`)).status, 200, script)
  await say('Good morning.')
  const book = join(folder, 'book.md')
  writeFileSync(book, '# Morning\n\nThe sun rises.\n\n# Evening\n\nThe sun sets.\n')
  const planned = await run(PACKAGES.studio, ['book', 'plan', book], studioEnv)
  assert.equal(planned.code, 0, planned.errors)
  assert.match(planned.output, /Morning.*Evening/s)
  const cmdline = readFileSync(`/proc/${studio.pid}/cmdline`, 'latin1').split('\0')
  assert.equal(cmdline[1], '--max-semi-space-size=8', 'with the settings of ./studio')
})

test('the installed agent joins with a code and runs a task', { skip, timeout: 400_000 }, async () => {
  assert.equal((await request('/workers/enabled', { enabled: true })).status, 200)
  const { token } = JSON.parse((await request('/workers/enrollments', { label: 'attic' })).bytes.toString())
  const joined = await run(PACKAGES.agent, ['join', token, '--no-service'], agentEnv)
  const [, id = ''] = / as ([0-9a-f]+)\.\nStart lending with: voice-studio-agent\n/.exec(joined.output) ?? []
  assert.notEqual(id, '', joined.output + joined.errors)
  const agent = startProgram(world, [binOf(PACKAGES.agent)], agentEnv, { cwd: folder })
  await studio.says(new RegExp(`"workerId":"${id}".*a machine is connected`))
  assert.equal((await request(`/workers/${id}/consent`, {})).status, 200)
  assert.equal((await request('/workers/target', { target: id })).status, 200)
  await say('Good evening.')
  await agent.says(/an attempt is complete/)

  // Its data outlives the process, as it does an update.
  await studio.end('SIGTERM')
  await start()
  await eventually(async () => {
    const { workers } = JSON.parse((await request('/workers')).bytes.toString())
    return workers.some(
      (each: { id: string; connected: boolean; consent_granted: boolean }) => each.id === id && each.connected && each.consent_granted,
    )
  })
  await say('Good night.')
  assert.equal(await agent.end('SIGTERM'), 0, agent.output())
})

test('the same sources give the same bytes', { skip }, () => {
  const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
  const [again] = pack({ out: join(folder, 'again'), draft: true, only: [PACKAGES.agent] })
  assert.ok(again)
  assert.equal(digest(again.file), digest(tarballOf(PACKAGES.agent)))
})
