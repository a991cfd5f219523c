import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { COMMANDS } from '#cli/commands/command-list.ts'
import type { Terminal } from '#cli/lib/command.ts'
import { connectedTerminal } from '#cli/lib/studio/connection.ts'
import { SHELLS } from '#cli/views/completion.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { runToEnd, studio } from '#test/support/world/cli.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const mkfifo = findProgram('mkfifo', process.env['PATH'])
const bash = findProgram('bash', process.env['PATH'])

test('bash completes commands, verbs and options', { skip: bash === null && 'bash is not installed' }, async (t) => {
  const script = join(temporaryFolder(t), 'completion.bash')
  writeFileSync(script, (await studio(['completion', 'bash'])).output)
  async function completed(...words: string[]) {
    const command = `source '${script}'; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _studio; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { output, errors } = await runToEnd('bash', ['--norc', '-c', command, 'bash', './studio', ...words])
    assert.equal(errors, '')
    return output.trim().split('\n')
  }
  assert.deepEqual(await completed('tran'), ['transcribe', 'translate'])
  assert.deepEqual(await completed('--host', 'attic', 'hist'), ['history'])
  assert.deepEqual(await completed('history', 's'), ['show', 'save'])
  assert.deepEqual(await completed('say', '--vo'), ['--voice'])
  assert.deepEqual(await completed('status', '--js'), ['--json'])
  assert.deepEqual(await completed('help', 'op'), ['open'])
  assert.deepEqual(await completed('workers', 'o'), ['on', 'off'])
})

test('each shell has a script with every command, and one that is installed reads it', async (t) => {
  for (const shell of SHELLS) {
    const { output } = await studio(['completion', shell])
    for (const { name } of COMMANDS) assert.ok(output.includes(name), `${shell}: ${name}`)
    const script = join(temporaryFolder(t), `script.${shell}`)
    writeFileSync(script, output)
    if (findProgram(shell, process.env['PATH'])) assert.deepEqual((await runToEnd(shell, ['-n', script])).errors, '')
  }
})

const man = findProgram('man', process.env['PATH'])
test('the page of the manual has every command and every option', { skip: man === null && 'man is not installed' }, async (t) => {
  const page = join(temporaryFolder(t), 'studio.1')
  writeFileSync(page, (await studio(['man'])).output)
  const { code, output, errors } = await runToEnd('man', ['--warnings', '-l', page], {
    env: { MANWIDTH: '200', LC_ALL: 'C.UTF-8', MANPAGER: 'cat' },
  })
  assert.deepEqual([code, errors], [0, ''])
  const shown = output.replaceAll(/.\u0008/g, '').replaceAll('‐', '-')
  for (const { usage, options = [] } of COMMANDS) {
    assert.ok(shown.includes(`./studio ${usage}`.trim()), usage)
    for (const [flag] of options) assert.ok(shown.includes(flag), flag)
  }
  assert.match(shown, /EXIT STATUS[\s\S]*130 +Interrupted/)
})

test('the studio of a command is that of --host, of the environment, or of a profile, and each key stays with its host', (t) => {
  const home = temporaryFolder(t)
  const folder = join(home, 'voice-studio')
  mkdirSync(folder)
  const write = (name: string, text: string, mode = 0o600) => {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), mode)
  }
  const reached = (options: Parameters<typeof connectedTerminal>[1], env: Record<string, string> = {}, name = 'say') => {
    const terminal = { env: { XDG_CONFIG_HOME: home, ...env }, cwd: folder } as unknown as Terminal
    const { env: inner, defaults } = connectedTerminal(name, options, terminal)
    return [inner['STUDIO_HOST'], inner['STUDIO_PORT'], inner['STUDIO_API_KEY'], defaults?.voice]
  }
  const refused = (options: Parameters<typeof connectedTerminal>[1], message: RegExp) => assert.throws(() => reached(options), { message })
  assert.deepEqual(reached({}), [undefined, undefined, undefined, undefined])
  assert.deepEqual(reached({ host: '[::1]:4000' }), ['::1', '4000', undefined, undefined])
  refused({ profile: 'attic' }, /There is no profile attic, because there is no file .*config\.json/)

  write('attic.key', 'key-of-the-attic\n')
  const attic = { host: 'https://attic.example', key_file: 'attic.key', voice: 'Ada' }
  write('config.json', JSON.stringify({ profile: 'attic', profiles: { attic, bare: { host: 'bare' } } }))
  const other = { STUDIO_HOST: 'other', STUDIO_API_KEY: 'key-of-the-other' }
  assert.deepEqual(reached({}), ['https://attic.example', undefined, 'key-of-the-attic', 'Ada'])
  assert.deepEqual(reached({}, other), ['other', undefined, 'key-of-the-other', 'Ada'])
  assert.deepEqual(reached({ profile: 'attic' }, other), ['https://attic.example', undefined, 'key-of-the-attic', 'Ada'])
  assert.deepEqual(reached({ profile: 'bare' }, other), ['bare', '3900', undefined, undefined])
  assert.deepEqual(reached({ host: 'next:1' }).slice(0, 3), ['next', '1', undefined], 'the key of a profile goes to its host only')
  assert.deepEqual(reached({ host: 'next', keyFile: 'attic.key' }).slice(0, 3), ['next', '3900', 'key-of-the-attic'])
  assert.deepEqual(reached({}, {}, 'start'), [undefined, undefined, undefined, undefined])
  assert.throws(() => reached({ host: 'x' }, {}, 'agent'), { message: /agent is a command of this machine and takes no --host/ })

  refused({ profile: 'atic' }, /There is no profile 'atic' in .*Did you mean 'attic'\?/)
  refused({ profile: 'constructor' }, /There is no profile 'constructor'/)
  refused({ host: 'a b' }, /is no host/)
  refused({ keyFile: 'none' }, /There is no key file/)
  write('attic.key', 'key-of-the-attic', 0o644)
  refused({}, /The key file .*attic\.key is open to other users \(mode 644\)\. Run: chmod 600/)
  if (mkfifo !== null) {
    execFileSync(mkfifo, ['-m', '600', join(folder, 'pipe')])
    refused({ keyFile: 'pipe' }, /The key file .*pipe is not a file/)
  }
  write('attic.key', 'two\nkeys')
  refused({}, /must contain one key/)
  for (const [text, message] of [
    ['{\n  "profiles": {\n    nope\n', /config\.json is not JSON: see line 3\./],
    ['{"profiles":{"attic":{"hosst":"x"}}}', /config\.json: profiles\.attic\.hosst is not known\. Did you mean 'host'\?/],
    ['{"profiles":{"attic":{"host":7}}}', /config\.json: profiles\.attic\.host is invalid/],
    [`{"profile":"${'x'.repeat(70_000)}"}`, /is larger than 65536 bytes/],
    ['[]', /config\.json: the file is invalid/],
  ] as const) {
    write('config.json', text)
    refused({}, message)
  }
  write('config.json', '{}', 0o666)
  refused({}, /is open to other users \(mode 666\)\. Run: chmod go-w/)
})
