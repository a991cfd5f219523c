import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { test } from 'node:test'
import { z } from 'zod'
import { COMMANDS } from '#cli/commands/command-list.ts'
import { commandHelp } from '#cli/commands/help.ts'
import { nearest } from '#cli/lib/nearest.ts'
import { sentenceOf } from '#cli/views/failure.ts'
import { jsonIn, REPOSITORY, runToEnd, studio } from '../support/world/cli.ts'

test('help names every command in two aligned columns and fits a terminal of 80 columns', async () => {
  const { code, output, errors } = await studio(['--help'])
  assert.deepEqual([code, errors], [0, ''])
  const column = output
    .split('\n')
    .find((line) => line.startsWith('  ./studio say'))!
    .indexOf('Generate')
  for (const { usage, line } of COMMANDS) assert.ok(output.includes(`${`  ./studio ${usage}`.padEnd(column)}${line}`), usage)
  for (const line of output.split('\n')) assert.ok(line.length <= 80, line)
})

test('help of each command begins with an example, is aligned, fits 80 columns and shows its options and no other command', async () => {
  for (const name of new Set(COMMANDS.map((each) => each.name))) {
    const own = COMMANDS.filter((each) => each.name === name)
    const lines = commandHelp(own)
    const examples = own.flatMap((each) => each.examples ?? [])
    assert.ok(examples.length > 0, `${name} has an example`)
    assert.deepEqual(lines.slice(0, examples.length + 2), ['Examples', ...examples.map((words) => `    ${words}`), ''])
    for (const words of examples) assert.ok(words.includes(`./studio ${name}`), words)
    for (const line of lines) assert.ok(line.length <= 80, line)
    const texts = lines.filter((line) => /^ {2}\S/.test(line)).map((line) => /^ {2}.*? {2,}(?=\S)/.exec(line)![0].length)
    assert.equal(new Set(texts).size, 1, lines.join('\n'))
    for (const [flag] of own.flatMap(({ options = [] }) => options))
      assert.ok(
        lines.some((line) => line.startsWith(`  ${flag}  `)),
        flag,
      )
  }
  for (const args of [
    ['say', '--help'],
    ['help', 'say'],
  ]) {
    const { code, output } = await studio(args)
    assert.equal(code, 0)
    assert.match(output, /--voice/)
    assert.doesNotMatch(output, /bench/)
  }
})

test('every exit status 2 names the help of its command, and no message is in the form of the option parser', async () => {
  for (const [args, message, help] of [
    [['setup', '--yess'], "Unknown option '--yess'. Did you mean '--yes'?", 'setup'],
    [['say', 'x', '-o'], 'The option -o needs a value.', 'say'],
    [['logs', '--last', '-1'], 'The option --last needs a value.', 'logs'],
    [['say'], 'The text is missing: say', 'say'],
    [['say', ' ', '-o', 'x.mp3'], 'The text is empty: say', 'say'],
    [['say', 'x', '-o', '/tmp'], '/tmp names no format. Add an extension', 'say'],
    [['say', 'x', '--bogus'], "Unknown option '--bogus'.\n", 'say'],
    [['models', 'nope'], "Unknown models command 'nope'. The models commands are:", 'models'],
    [['workers', '--json=1'], 'The option --json takes no value.', 'workers'],
    [['workers', 'aprove', 'x'], "Unknown workers command 'aprove'. Did you mean 'approve'?", 'workers'],
    [['agent', 'fnish'], "Unknown agent command 'fnish'. Did you mean 'finish'?", 'agent'],
    [['agent', 'constructor'], "Unknown agent command 'constructor'.", 'agent'],
    [['audit'], "A word after 'audit' is missing. The audit commands are: verify, show.", 'audit'],
    [['engines', 'foo'], "Unknown engines command 'foo'. The engines commands are: use.", 'engines'],
    [['test', 'nosuch'], 'There is no file or folder ', 'test'],
    [['docs', 'foo'], "Unexpected argument 'foo'. docs takes none.", 'docs'],
  ] as const) {
    const { code, output, errors } = await studio(args)
    assert.deepEqual([code, output], [2, ''], args.join(' '))
    assert.ok(errors.startsWith(`studio: ${message}`), errors)
    assert.ok(errors.endsWith(`studio: For help, run ./studio help ${help}.\n`), errors)
  }
})

test('errors become sentences: of the file system, and of an answer that cannot be read', () => {
  const system = Object.assign(new Error('ENOENT: no such file or directory'), { code: 'ENOENT', path: '/x/y' })
  assert.equal(sentenceOf(system), '/x/y: The folder or file does not exist. Check the path.')
  assert.match(sentenceOf(z.string().safeParse(1).error), /^The answer cannot be read\. .* restart it\.$/)
  assert.equal(sentenceOf(new Error('No studio is running.')), 'No studio is running.')
})

test('a signal, and a reader that has gone, leave the exit status and one document', async (t) => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => silent.close())
  const run = (...words: string[]) =>
    spawn(process.execPath, [join(REPOSITORY, 'cli/main.ts'), ...words], {
      env: { ...process.env, STUDIO_HOST: '127.0.0.1', STUDIO_PORT: String((silent.address() as AddressInfo).port) },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    const child = run('history', '--json')
    const [socket] = (await once(silent, 'connection')) as [Socket]
    child.kill(name)
    const [printed, [status]] = await Promise.all([readText(child.stdout), once(child, 'close')])
    socket.destroy()
    assert.deepEqual([status, JSON.parse(printed).error.code], [130, 'INTERRUPTED'], name)
  }
  const failing = run('dcotor', '--json')
  failing.stdout.destroy()
  assert.deepEqual(await once(failing, 'close'), [2, null])
})

test('--version prints the version of package.json', async () => {
  for (const word of ['--version', '-V', '-v', 'version'])
    assert.match((await studio([word])).output, /^Voice Studio \d+\.\d+\.\d+ \(Node \d+\.\d+\.\d+\)\n$/, word)
})

test('an unknown command exits with 2 and suggests the nearest name', async () => {
  const { code, output, errors } = await studio(['dcotor'])
  assert.equal(code, 2)
  assert.equal(output, '')
  assert.match(errors, /Unknown command 'dcotor'\. Did you mean 'doctor'\?/)
  assert.match((await studio(['zzzzz'])).errors, /Unknown command 'zzzzz'\.\n/)
  // What other programs call so.
  assert.match((await studio(['restart'])).errors, /^studio: Unknown command 'restart'\. Stop the studio with \.\/studio stop, /)
})

test('what a command prints of a foreign text does not command the terminal', async () => {
  const { code, errors } = await studio(['\u001b]0;owned\u0007\u009b31m\u202e'])
  assert.equal(code, 2)
  assert.match(errors, /Unknown command '\\u001b\]0;owned\\u0007\\u009b31m\\u202e'/)
})

test('a closed output pipe is not a failure', async () => {
  // `true` ends before Node has started, so the first write already fails with EPIPE.
  const command = '{ "$0" cli/main.ts --help; echo "status $?" >&2; } | true'
  const { errors } = await runToEnd('sh', ['-c', command, process.execPath], { cwd: REPOSITORY })
  assert.equal(errors, 'status 0\n')
})

test('nearest returns the candidate with the smallest edit distance, the first of equals', () => {
  assert.equal(nearest('tset', ['say', 'test', 'start']), 'test')
  assert.equal(nearest('', ['say', 'docs']), 'say')
  assert.equal(nearest('agents', ['agent', 'start']), 'agent')
})

test('without HOME the data folder is in the home of the user', async (t) => {
  const home = userInfo().homedir
  if (process.env['HOME'] !== undefined && process.env['HOME'] !== home) return t.skip('HOME is not the folder of the user')
  const said = async (env: Record<string, string>) => (await studio(['doctor', '--json'], { env: { STUDIO_PORT: '1', ...env } })).output
  const folderIn = (output: string) =>
    (jsonIn(output).checks as { id: string; detail: string }[]).find(({ id }) => id === 'data folder')!.detail
  assert.equal(folderIn(await said({ HOME: '' })), folderIn(await said({ HOME: home })))
})
