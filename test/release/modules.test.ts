// The parts of the packages, without making them.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { COMMANDS } from '#cli/commands/command-list.ts'
import { REPOSITORY, runToEnd, studio } from '#test/support/world/cli.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { manualOf } from '#tools/release/manual.ts'
import { reachedFrom, shippedModule } from '#tools/release/modules.ts'
import { QUICK_WORDS, startFile } from '#tools/release/start-file.ts'

const PACKAGES = new Set(['zod', 'onnxruntime-node', 'better-sqlite3', 'fastify'])

test('the program of lenders reaches no file of the studio, and everything that it starts', () => {
  const { files, packages } = reachedFrom('cli/agent-main.ts', PACKAGES)
  assert.deepEqual(
    files.filter((file) => /^(?:control-plane|tools|test)\//.test(file)),
    [],
  )
  // By an import, by its address, and by the address of a thread or a child.
  for (const file of [
    'agent/main.ts',
    'agent/engine/host/host.ts',
    'agent/engine/host/beat.ts',
    'agent/engine/runtimes/onnx/trial/trial-child.ts',
  ])
    assert.ok(files.includes(file), file)
  assert.deepEqual([...packages].sort(), ['onnxruntime-node', 'zod'])
})

test('the studio reaches its agent, its threads and the child that reads books, and no bundler', () => {
  const { files, packages } = reachedFrom('cli/main.ts', PACKAGES)
  for (const file of [
    'agent/main.ts',
    'control-plane/features/books/reading/child.ts',
    'control-plane/features/operate/system/pages/build.ts',
    'control-plane/media/threads/worker.ts',
  ])
    assert.ok(files.includes(file), file)
  assert.deepEqual(
    files.filter((file) => /\/pages\/bundle\.ts$|\.tsx$|^(?:tools|test|bench)\//.test(file)),
    [],
  )
  assert.deepEqual([...packages].sort(), [...PACKAGES].sort())
})

test('a module is shipped as JavaScript with the same lines, and names files as they are shipped', () => {
  assert.match(shippedModule('control-plane/sessions/local.ts'), /join\(import\.meta\.dirname, '\.\.\/\.\.\/agent\/main\.js'\)/)
  assert.match(
    shippedModule('control-plane/features/books/import/reader-process.ts'),
    /'control-plane\/features\/books\/reading\/child\.js'/,
  )
  assert.match(shippedModule('agent/engine/host/pool.ts'), /new URL\('\.\/host\.js', import\.meta\.url\)/)
  assert.match(shippedModule('cli/terminal.ts'), /\nimport { escapeControls } from '#shared\/protocol\/fields\/clean-text\.js'\n/)
  // A file that is not a module of the program keeps its name.
  assert.match(shippedModule('control-plane/features/operate/system/pages/built.ts'), /join\(WEB, 'again\.ts'\)/)
})

test('a module that imports a file which is not shipped is refused', () => {
  assert.throws(() => shippedModule('tools/main.ts'), /tools\/main\.ts imports #tools\/test\/command\.ts, which is not shipped\./)
})

test('the command of a package explains itself to an old Node, and where its native package is missing', async (t) => {
  const folder = temporaryFolder(t)
  const [command, old] = [join(folder, 'command.cjs'), join(folder, 'old-node.cjs')]
  const text = startFile({ command: 'voice-studio', main: 'main.js', version: '0.0.0', native: '@voice-studio/native' })
  writeFileSync(command, text)
  writeFileSync(old, "Object.defineProperty(process, 'versions', { value: { node: '18.20.4' } })\n")
  const refused = async (...args: string[]) => {
    const { code, errors } = await runToEnd(process.execPath, args)
    assert.equal(code, 1)
    return errors
  }
  const node =
    'Node 22.18 or newer is required, and this is Node 18.20.4. Install a newer one from https://nodejs.org and run the command again.'
  assert.equal(await refused('--require', old, command), `voice-studio: ${node}\n`)
  assert.match(await refused(command), /^voice-studio: The package @voice-studio\/native-\w+-\w+ is not installed\. .*kind of machine\.\n$/)
  // What an old Node must read before it can print that.
  assert.doesNotMatch(text, /=>|^\s*(?:const|let|class)\b|\?\.|`/m)
})

test('a command that only prints runs in the first process, and its children get the settings', async (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'bin'))
  const command = join(folder, 'bin/command.cjs')
  writeFileSync(command, startFile({ command: 'voice-studio', main: 'main.mjs', version: '0.0.0' }))
  writeFileSync(
    join(folder, 'main.mjs'),
    `import { getCompileCacheDir } from 'node:module'
    await null
    const { NODE_COMPILE_CACHE: cache, MALLOC_ARENA_MAX: arenas } = process.env
    console.log(JSON.stringify([process.execArgv.length, getCompileCacheDir().startsWith(cache), arenas, process.argv.slice(2), import.meta.main]))`,
  )
  const ran = async (...words: string[]) => {
    const env = { HOME: folder, NODE_COMPILE_CACHE: join(folder, 'cache') }
    const { code, output, errors } = await runToEnd(process.execPath, [command, ...words], { env })
    assert.equal(code, 0, errors)
    return JSON.parse(output) as unknown
  }
  assert.deepEqual(await ran('status', '--json'), [0, true, '2', ['status', '--json'], true])
  assert.deepEqual(await ran('start', 'status'), [1, true, '2', ['start', 'status'], true])
  assert.deepEqual(await ran(), [1, true, '2', [], true], 'no word starts the studio')
  const known = new Set(COMMANDS.map(({ name }) => name))
  for (const word of QUICK_WORDS) assert.ok(known.has(word) || /^-|^(?:help|version)$/.test(word), word)
})

test('the manual of the package for lenders has every command of its help, under its own name', async () => {
  const manual = manualOf('voice-studio-agent', '9.8.7')
  assert.ok(manual.startsWith('.TH VOICE-STUDIO-AGENT 1 "" "Voice Studio 9.8.7"'))
  assert.match(manual, /^\.SH NAME\nvoice\\-studio\\-agent \\- lends this machine/m)
  assert.doesNotMatch(
    manual,
    /\.\/studio|(?:^| )agent (?:join|start|lend|keys)\b|--|\\-\\-host/,
    'words of the studio, and hyphens that roff changes',
  )
  const { output } = await runToEnd(process.execPath, [join(REPOSITORY, 'cli/agent-main.ts'), 'help'])
  const verbs = [...output.matchAll(/^ {2}.* agent ([a-z]+)/gm)].map(([, verb]) => verb)
  assert.ok(verbs.length >= 12, output)
  for (const verb of verbs) assert.match(manual, new RegExp(`^\\.B voice\\\\-studio\\\\-agent ${verb}\\b`, 'm'), verb)
  const studios = manualOf('voice-studio', '9.8.7')
  assert.match(studios, /^\.TH VOICE-STUDIO 1 .*9\.8\.7[\s\S]*^\.B (?:\\&)?voice\\-studio say /m)
})

test('release pack needs an empty folder', async () => {
  for (const [args, message] of [
    [['pack'], /^studio: release pack needs --out DIR\./],
    [['pack', '--out', import.meta.dirname], /^studio: The folder \S+ is not empty\./],
    [['pack', '--to', 'x'], /^studio: Unknown option '--to'\./],
    [['publish'], /^studio: Unknown release command 'publish'\./],
  ] as const) {
    const { code, errors } = await studio(['release', ...args])
    assert.equal(code, 2)
    assert.match(errors, message)
  }
})
