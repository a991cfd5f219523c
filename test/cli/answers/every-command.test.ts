// The table of all commands: each prints exactly one JSON document with --json, when it succeeds and when it fails.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import { COMMANDS } from '#cli/commands/command-list.ts'
import { EXIT_STATUSES } from '#cli/lib/answer/exit.ts'
import type { Terminal } from '#cli/lib/command.ts'
import { runCli } from '#cli/run.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { addressOf, REPOSITORY } from '#test/support/world/cli.ts'
import { form } from '#test/support/world/http.ts'
import { sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const open = sharedWorld({ env: { STUDIO_TTS_BACKEND: 'tone' } })
const NOWHERE = { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: '1' }

type Facts = { readonly take: string; readonly voice: string; readonly spare: string; readonly project: string; readonly folder: string }
type Row = {
  /** Words that succeed, or end with `status`. Absent: they would change this machine, or need another one. */
  readonly done?: (facts: Facts) => readonly string[]
  readonly status?: number
  /** Words that fail, and the exit status. Absent: an unknown option. */
  readonly fails?: readonly [words: (facts: Facts) => readonly string[], status: number, code: string]
  readonly input?: string
}
const words =
  (text: string) =>
  (facts: Facts): readonly string[] =>
    text.split(' ').map((word) => word.replace(/^\{(\w+)\}/, (_all, name: keyof Facts) => facts[name]))
const row = (done: string, more: Omit<Row, 'done'> = {}): Row => ({ done: words(done), ...more })
const failing = (text: string, status: number, code: string): NonNullable<Row['fails']> => [words(text), status, code]
const noMachine = (verb: string): Row => ({ fails: failing(`workers ${verb} unknown`, 5, 'NOT_FOUND') })
const noAgent = (text: string): Row => ({ fails: failing(text, 3, 'NOT_READY') })

const ROWS: Readonly<Record<string, Row>> = {
  '': {},
  open: row('open --print'),
  status: row('status'),
  'say TEXT -o FILE': row('say Hello. -o {folder}/hello.wav', { fails: failing('say Hello.', 2, 'INVALID_ARGUMENTS') }),
  'transcribe FILE': row('transcribe {folder}/talk.wav --engine tone', {
    fails: failing('transcribe {folder}/talk.wav --engine no-such', 5, 'MODEL_NOT_FOUND'),
  }),
  dictate: { fails: failing('dictate talk.wav', 2, 'INVALID_ARGUMENTS') },
  'translate TEXT --to TAG': { fails: failing('translate Hello. --to ja --from en', 1, 'BAD_REQUEST') },
  history: row('history'),
  'history show ID': row('history show {take}', { fails: failing('history show nosuch', 5, 'NOT_FOUND') }),
  'history save ID -o FILE': row('history save {take} -o {folder}/take.wav', {
    fails: failing('history save {take} -o {folder}/talk.wav', 1, 'BAD_REQUEST'),
  }),
  'history remove ID': row('history remove {take} --yes', { fails: failing('history remove {take}', 5, 'NOT_FOUND') }),
  tasks: row('tasks'),
  'tasks cancel ID': { fails: failing('tasks cancel nosuch', 5, 'NOT_FOUND') },
  projects: row('projects'),
  'projects rename ID NAME': row('projects rename {project} Other'),
  'projects remove ID': row('projects remove {project} --yes', { fails: failing('projects remove {project}', 5, 'NOT_FOUND') }),
  people: row('people'),
  'people add NAME': row('people add Zoe', { fails: failing('people add Zoe', 1, 'CONFLICT') }),
  'people role NAME ROLE': row('people role Zoe operate', { fails: failing('people role nosuch own', 5, 'NOT_FOUND') }),
  'people sign-in NAME WHO': row('people sign-in Zoe zoe@example.org', {
    fails: failing('people sign-in nosuch zoe@example.org', 5, 'NOT_FOUND'),
  }),
  'people oidc': row('people oidc', { fails: failing('people oidc nosuch', 2, 'INVALID_ARGUMENTS') }),
  'people oidc set': { fails: failing('people oidc set', 2, 'INVALID_ARGUMENTS') },
  'people oidc test': { fails: failing('people oidc test', 5, 'NOT_FOUND') },
  'people oidc remove': row('people oidc remove --yes', { fails: failing('people oidc remove', 2, 'INVALID_ARGUMENTS') }),
  'people key new NAME': row('people key new Zoe', { fails: failing('people key new nosuch', 5, 'NOT_FOUND') }),
  'people key end NAME ID': { fails: failing('people key end Zoe nosuch --yes', 5, 'NOT_FOUND') },
  'people usage': row('people usage', { fails: failing('people usage --from x', 2, 'INVALID_ARGUMENTS') }),
  'people end NAME': row('people end Zoe --yes', { fails: failing('people end Zoe --yes', 5, 'NOT_FOUND') }),
  'design TEXT --name NAME': row('design Old --name Walter', { fails: failing('design Xyzzy --name Walter', 1, 'BAD_REQUEST') }),
  voices: row('voices'),
  'voices show ID': row('voices show {voice}', { fails: failing('voices show nosuch', 5, 'NOT_FOUND') }),
  'voices add FILE': row('voices add {folder}/talk.wav --text Hello.', {
    fails: failing('voices add {folder}/none.wav', 1, 'BAD_REQUEST'),
  }),
  'voices remove ID': row('voices remove {spare} --yes', { fails: failing('voices remove {spare}', 5, 'NOT_FOUND') }),
  'voices lock ID TAKE': { fails: failing('voices lock nosuch nosuch', 5, 'NOT_FOUND') },
  'voices unlock ID': { fails: failing('voices unlock nosuch', 5, 'NOT_FOUND') },
  'voices export ID -o FILE': row('voices export {voice} -o {folder}/voice.svcvoice'),
  'voices import FILE': row('voices import {folder}/voice.svcvoice', {
    fails: failing('voices import {folder}/talk.wav', 1, 'BAD_REQUEST'),
  }),
  'book list': row('book list'),
  'book plan FILE': row('book plan {folder}/book.txt'),
  'book render FILE -o BOOK': row('book render {folder}/book.txt -o {folder}/book.mp3'),
  'book save ID -o BOOK': { fails: failing('book save nosuch -o {folder}/other.mp3', 5, 'NOT_FOUND') },
  'book resume ID -o BOOK': { fails: failing('book resume nosuch -o {folder}/other.mp3', 5, 'NOT_FOUND') },
  'dub FILE -o FILM.mp4': row('dub --languages'),
  models: row('models'),
  'models install NAME': { fails: failing('models install nosuchmodel', 5, 'NOT_FOUND') },
  'models add PATH': { fails: failing('models add {folder}/talk.wav', 1, 'BAD_REQUEST') },
  'models found': row('models found'),
  'models verify NAME': { fails: failing('models verify nosuchmodel', 5, 'NOT_FOUND') },
  'models remove NAME': { fails: failing('models remove nosuchmodel', 5, 'NOT_FOUND') },
  engines: row('engines'),
  'engines use ID': row('engines use tone', { fails: failing('engines use nosuch', 5, 'NOT_FOUND') }),
  invite: { fails: failing('invite', 1, 'CONFLICT') },
  workers: row('workers'),
  'workers show NAME': row('workers show local', { fails: failing('workers show unknown', 5, 'NOT_FOUND') }),
  'workers on|off': row('workers off'),
  'workers address HOST …': row('workers address', { fails: failing('workers address http://studio', 1, 'BAD_REQUEST') }),
  'workers approve NAME': noMachine('approve'),
  'workers use NAME': row('workers use local', { fails: failing('workers use unknown', 5, 'NOT_FOUND') }),
  'workers connect STRING': { fails: failing('workers connect nonsense', 1, 'CONFLICT') },
  'workers drain NAME': noMachine('drain'),
  'workers resume NAME': noMachine('resume'),
  'workers withdraw NAME': noMachine('withdraw'),
  'workers remove NAME': noMachine('remove'),
  'workers logs NAME': row('workers logs local', { fails: failing('workers logs unknown', 5, 'NOT_FOUND') }),
  agent: {},
  'agent join CODE': { fails: failing('agent join nonsense', 1, 'BAD_REQUEST') },
  'agent status': noAgent('agent status'),
  'agent lend on|off': noAgent('agent lend on'),
  'agent space GB': noAgent('agent space auto'),
  'agent files GB': noAgent('agent files off'),
  'agent finish': noAgent('agent finish'),
  'agent leave': row('agent leave'),
  'agent listen': row('agent listen --off'),
  'agent gpu': row('agent gpu'),
  'agent service': row('agent service'),
  'agent uninstall': {},
  'agent keys': noAgent('agent keys'),
  'agent keys add NAME': noAgent('agent keys add Ann'),
  'agent keys revoke ID': noAgent('agent keys revoke nosuch'),
  'key create': row('key create'),
  doctor: row('doctor', { status: 0 }),
  gpu: row('gpu'),
  'gpu install': {},
  'gpu remove': row('gpu remove'),
  service: row('service'),
  'service install': {},
  'service remove': {},
  uninstall: {},
  stop: {},
  finish: { fails: failing('finish --wait x', 2, 'INVALID_ARGUMENTS') },
  update: { fails: failing('update', 2, 'INVALID_ARGUMENTS') },
  rollback: { fails: failing('rollback', 2, 'INVALID_ARGUMENTS') },
  logs: row('logs'),
  setup: {},
  'settings list [WORD]': row('settings list'),
  'settings get KEY': row('settings get history.retention', { fails: failing('settings get nosuch', 5, 'NOT_FOUND') }),
  'settings set KEY VALUE': row('settings set history.retention 9', {
    fails: failing('settings set history.retention x', 2, 'INVALID_ARGUMENTS'),
  }),
  'settings rotate-key': row('settings rotate-key'),
  'backup [FILE]': row('backup --without-secrets {folder}/copy.db', { fails: failing('backup {folder}/talk.wav', 1, 'BAD_REQUEST') }),
  'restore FILE': { fails: failing('restore {folder}/none.db', 5, 'NOT_FOUND') },
  'audit show': row('audit show'),
  'audit verify': row('audit verify'),
  'authority show': row('authority show'),
  'authority prepare': {},
  'authority activate': { fails: failing('authority activate', 1, 'CONFLICT') },
  'authority retire': { fails: failing('authority retire', 1, 'CONFLICT') },
  'completion SHELL': row('completion bash', { fails: failing('completion tcsh', 2, 'INVALID_ARGUMENTS') }),
  man: row('man'),
  '--help': row('--help'),
  '--version': row('--version'),
}

async function collected(stream: PassThrough): Promise<string> {
  stream.end()
  return (await stream.toArray()).map(String).join('')
}

async function answerOf(args: readonly string[], env: Record<string, string>, cwd: string, signal: AbortSignal) {
  const [output, errors] = [new PassThrough(), new PassThrough()]
  const outside = { ...process.env, XDG_RUNTIME_DIR: undefined, DBUS_SESSION_BUS_ADDRESS: undefined }
  // No question is asked with --json, also where a person could answer.
  const input = Object.assign(Readable.from([]), { isTTY: true })
  const terminal: Terminal = { env: { ...outside, ...env }, cwd, input, output, errors, interrupted: () => signal }
  errors.resume()
  const status = await runCli([...args, '--json'], terminal)
  const text = await collected(output)
  assert.match(text, /^\{.*\}\n$/, `${args.join(' ')}: ${text}`)
  return { status, answer: JSON.parse(text) }
}

test('the table has every command, and docs has every exit status', () => {
  assert.deepEqual(
    COMMANDS.map(({ usage }) => usage).filter((usage) => !Object.hasOwn(ROWS, usage)),
    [],
  )
  const page = readFileSync(join(REPOSITORY, 'docs/cli.md'), 'utf8')
  assert.deepEqual(
    [...page.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, status, meaning]) => [Number(status), meaning]),
    EXIT_STATUSES.map((row) => [...row]),
  )
})

test('every command prints one JSON document with --json', async (t) => {
  const world = await open()
  const folder = temporaryFolder(t)
  const dataDir = temporaryFolder(t)
  const samples = 5 * 16_000
  const sound = Buffer.alloc(samples * 2, Buffer.from([0, 8, 0, 248]))
  writeFileSync(join(folder, 'talk.wav'), Buffer.concat([wavHeader({ sampleRate: 16_000, channels: 1, samples }), sound]))
  writeFileSync(join(folder, 'book.txt'), 'Chapter 1\n\nIt rained all night.\n')
  mkdirSync(join(folder, 'empty'))
  const take = (await world.post('/generate', form({ text: 'Good morning.' }))).headers.get('x-audio-id')!
  const voiceOf = async (name: string) =>
    (await world.post('/profiles', form({ name, ref_audio: spokenWav({ hz: 200 }), ref_text: 'Said before.' }))).json().id
  const [voice, spare] = [await voiceOf('Ada'), await voiceOf('Bo')]
  const project = (await world.post('/projects', { name: 'Film', state: {} })).json().id
  const facts: Facts = { take, voice, spare, project, folder }
  // The commands of an agent have a folder of their own, where none runs.
  const envOf = (name: string) => ({ ...addressOf(world), ...(name === 'agent' && { STUDIO_DATA_DIR: dataDir }) })
  for (const { usage, name } of COMMANDS) {
    const { done, status = 0, fails } = ROWS[usage]!
    await t.test(usage === '' ? 'start' : usage, async () => {
      if (done) {
        const made = await answerOf(done(facts), envOf(name), folder, t.signal)
        assert.deepEqual([made.status, made.answer.ok, 'data' in made.answer], [status, status === 0, true], JSON.stringify(made.answer))
        assert.deepEqual(Object.keys(made.answer), status === 0 ? ['ok', 'data'] : ['ok', 'error', 'data'])
      }
      const [failing, wanted, code] = fails ?? [() => [...(usage === '' ? ['start'] : [name]), '--no-such-option'], 2, 'INVALID_ARGUMENTS']
      const failed = await answerOf(failing(facts), envOf(name), folder, t.signal)
      assert.deepEqual([failed.status, failed.answer.ok, failed.answer.error.code], [wanted, false, code], JSON.stringify(failed.answer))
      assert.equal(failed.answer.error.exit_status, wanted)
      assert.ok(failed.answer.error.message.length > 10)
    })
  }
  await t.test('bytes and questions are not mixed into the document', async () => {
    for (const words of [
      ['backup', '-', '--without-secrets'],
      ['backup', join(folder, 'other.zip')],
    ]) {
      const { status, answer } = await answerOf(words, envOf(''), folder, t.signal)
      assert.deepEqual([status, answer.error.code], [2, 'INVALID_ARGUMENTS'], words.join(' '))
    }
  })
  await t.test('without a studio', async () => {
    for (const words of [['status'], ['say', 'Hello.', '-o', 'x.wav'], ['history'], ['tasks', 'cancel', 'x'], ['book', 'list']]) {
      const { status, answer } = await answerOf(words, NOWHERE, folder, t.signal)
      assert.deepEqual([status, answer.error.code], [3, 'NOT_READY'], words.join(' '))
    }
    const wrong = await answerOf(['status'], { STUDIO_PORT: 'abc' }, folder, t.signal)
    assert.deepEqual([wrong.status, wrong.answer.error.code], [2, 'INVALID_ARGUMENTS'])
  })
})
