// yt-dlp, played by programs that record what they receive or misbehave. Nothing here reaches a network.
import assert from 'node:assert/strict'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createVideos } from '#control-plane/features/voices/gallery/videos/videos.service.ts'
import type { RunLimits } from '#control-plane/media/remote/confined-program.ts'
import { createDiskBudget } from '#control-plane/store/disk-budget.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { SILENT } from '#shared/runtime/child/environment.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { emptyFolder } from '#shared/runtime/file.ts'
import { eventually, temporaryFolder } from '#test/support/world/world.ts'

const never = new AbortController().signal
const MEBIBYTE = 1024 * 1024
/** Longer than any test: a limit is reached only where a test sets it. */
const PATIENT: RunLimits = { ms: 600_000, outputBytes: 4 * MEBIBYTE, fileBytes: 16 * MEBIBYTE }

/** A program in JavaScript: `body` has `args`, `result` (the folder of the clip), `fs` and `notes` (a folder for its notes). */
function open(t: TestContext, body: string, limits: Partial<RunLimits> = {}) {
  const folder = temporaryFolder(t)
  const notes = emptyFolder(join(folder, 'notes'))
  const private_ = emptyFolder(join(folder, 'uploads'))
  const program = join(folder, 'yt-dlp')
  const head = `const fs = require('node:fs'), { spawn } = require('node:child_process'), args = process.argv.slice(2), notes = ${JSON.stringify(notes)}
const at = args.indexOf('-o'), result = at < 0 ? null : require('node:path').dirname(args[at + 1])`
  writeFileSync(program, `#!${process.execPath}\n${head}\n${body}\n`)
  chmodSync(program, 0o755)
  const videos = createVideos({
    program: () => program,
    ffmpegPath: () => '/opt/tools/ffmpeg',
    disk: { folder: private_, budget: createDiskBudget({ folder }) },
    path: '/usr/bin:/bin',
    clock,
    limits: { ...PATIENT, ...limits },
  })
  const read = (name: string) => JSON.parse(readFileSync(join(notes, name), 'utf8'))
  const left = () => readdirSync(private_)
  return { folder, notes, videos, read, left }
}
const CLIP = { url: 'https://www.youtube.com/watch?v=abc', start: 5, seconds: 10 }
const failsWith = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof Failure && error.code === code && message.test(error.message)
const isGone = (pid: number) => {
  try {
    process.kill(pid, 0)
    // A dead child that no parent has waited for is a zombie.
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true
  }
}

test('the program receives fixed arguments, one text after --, and an environment of its own', async (t) => {
  const { videos, read, left } = open(
    t,
    `fs.writeFileSync(notes + '/call', JSON.stringify({ args, env: process.env, cwd: process.cwd() }))
if (result) fs.writeFileSync(result + '/clip.webm', 'sound')
else console.log(JSON.stringify({ id: 'abc', title: 'A film', duration: 75 }))`,
  )
  const found = await videos.search('a film', 3, never)
  assert.deepEqual(found, [{ title: 'A film', video_id: 'abc', duration: '1:15', thumbnail: null }])
  const search = read('call')
  assert.deepEqual(search.args.slice(-2), ['--', 'ytsearch3:a film'])
  assert.deepEqual(
    Object.keys(search.env).filter((name) => !['PATH', 'HOME', 'TMPDIR', 'STUDIO_CONFINED_RUN', ...Object.keys(SILENT)].includes(name)),
    [],
  )
  assert.equal(search.env.PATH, '/usr/bin:/bin')
  assert.equal(search.env.HOME, search.cwd)

  const clip = await videos.withClip(CLIP, never, async ({ path, url }) => ({ text: readFileSync(path, 'utf8'), url }))
  assert.deepEqual(clip, { text: 'sound', url: CLIP.url })
  const { args } = read('call')
  assert.ok(args.includes('--ignore-config') && args.includes('--no-playlist'))
  assert.equal(args[args.indexOf('--download-sections') + 1], '*5.000-15.000')
  assert.equal(args[args.indexOf('--ffmpeg-location') + 1], '/opt/tools/ffmpeg')
  assert.deepEqual(args.slice(-2), ['--', CLIP.url])
  assert.deepEqual(left(), [])
})

/** Two hundred texts that would be options, other addresses, or commands of a shell. */
const HOSTILE = ['', '-', '--', '---'].flatMap((dashes) =>
  [
    'exec=touch /tmp/x',
    'exec',
    'batch-file=/etc/passwd',
    'config-locations=/etc',
    'cookies-from-browser=firefox',
    'o/tmp/x',
    'a/etc/passwd',
    'ffmpeg-location=/tmp',
    'plugin-dirs=/tmp',
    'netrc-cmd=id',
    '$(touch /tmp/x)',
    '`id`',
    '; touch /tmp/x',
    '| sh',
    '&& id',
    'file:///etc/passwd',
    'http://www.youtube.com/watch?v=a',
    'https://www.youtube.com:8443/watch?v=a',
    'https://user:secret@www.youtube.com/watch?v=a',
    'https://youtube.com.evil.example/watch',
    'https://evil.example/?https://youtube.com',
    'https://notyoutube.com/watch?v=a',
    'https://127.0.0.1/watch',
    'https://[::1]/watch',
    'https://localhost/',
    'https://169.254.169.254/latest/meta-data',
    'ftp://youtube.com/x',
    'javascript:alert(1)',
    'data:text/plain,x',
    '//youtube.com/watch',
    'youtube.com/watch?v=a',
    'https://youtube.com./watch',
    'https://youtube.com\\@evil.example/',
    'https://evil.example#@youtube.com/',
    'https:///etc/passwd',
    'ytsearch5:x',
    'https://www.youtube.com/watch?v=--exec=id',
    'https://youtu.be/-exec',
    'a\nb',
    'a\0b',
    'a\u001bb',
    '\ud800',
    `a${'b'.repeat(3000)}`,
    '\u202e--exec',
    '－－exec',
    '–-exec',
    ' --exec=id',
    '\t--exec=id',
    '%0a--exec',
    '"--exec"',
  ].map((text) => dashes + text),
)

test('200 hostile texts never reach the program as an option or as another address', async (t) => {
  // The folder of notes is in the name of the program: one process per text would take minutes, so the arguments are judged before it.
  const { clipArguments, searchArguments } = await import('#control-plane/features/voices/gallery/videos/arguments.ts')
  assert.equal(HOSTILE.length, 200)
  let accepted = 0
  const argumentsOf = (make: () => string[]): string[] | null => {
    try {
      return make()
    } catch (error) {
      assert.ok(error instanceof Failure && error.code === 'BAD_REQUEST', String(error))
      return null
    }
  }
  const fixed = (args: string[]) => args.slice(0, -1)
  const places = { folder: '/private', ffmpeg: null }
  const usual = {
    search: fixed(searchArguments('a', 5)),
    clip: fixed(clipArguments({ url: CLIP.url, start: 0, seconds: 10 }, places, 200)),
  }
  const run: string[][] = []
  for (const text of HOSTILE) {
    const search = argumentsOf(() => searchArguments(text, 5))
    if (search) {
      assert.deepEqual(fixed(search), usual.search)
      assert.match(search.at(-1)!, /^ytsearch5:/)
    }
    const clip = argumentsOf(() => clipArguments({ url: text, start: 0, seconds: 10 }, places, 200))
    if (clip) {
      assert.deepEqual(fixed(clip), usual.clip)
      assert.match(clip.at(-1)!, /^https:\/\/([a-z.]+\.)?(youtube\.com|youtu\.be)\//)
      accepted++
    }
    for (const args of [search, clip]) if (args) run.push(args)
  }
  assert.equal(accepted, 3, 'the addresses of real sites; a backslash is a slash, as in browsers')
  // A real process receives them as they are: no shell is between.
  const { videos, notes } = open(t, `fs.appendFileSync(notes + '/calls', JSON.stringify(args) + '\\n')`)
  for (const text of ['--exec=touch /tmp/x', '$(id)', '`id`', '; id', '"--exec"']) await videos.search(text, 5, never)
  const calls = readFileSync(join(notes, 'calls'), 'utf8').trim().split('\n')
  for (const call of calls) assert.match(JSON.parse(call).at(-1), /^ytsearch5:/)
  assert.ok(run.length > 100)
})

test('a program that hangs is killed with the children that it started', async (t) => {
  const { videos, notes, left } = open(
    t,
    `const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
fs.writeFileSync(notes + '/pids.new', JSON.stringify([process.pid, child.pid]))
fs.renameSync(notes + '/pids.new', notes + '/pids')
setInterval(() => {}, 1000)`,
  )
  const leave = new AbortController()
  const search = videos.search('words', 5, leave.signal)
  const settled = assert.rejects(search, /left/)
  await eventually(() => existsSync(join(notes, 'pids')))
  leave.abort(new Error('left'))
  await settled
  const pids: number[] = JSON.parse(readFileSync(join(notes, 'pids'), 'utf8'))
  for (const pid of pids) await eventually(() => isGone(pid))
  assert.deepEqual(left(), [])
})

test('a program that takes too long is killed', async (t) => {
  const { videos, left } = open(t, 'setInterval(() => {}, 1000)', { ms: 500 })
  await assert.rejects(videos.search('words', 5, never), failsWith('VIDEO_FETCH_FAILED', /did not finish within/))
  assert.deepEqual(left(), [])
})

test('a child that stays behind in the group of a program that ended is killed', async (t) => {
  const { videos, notes } = open(
    t,
    `const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
child.unref()
fs.writeFileSync(notes + '/pids', JSON.stringify([child.pid]))
process.exit(0)`,
  )
  assert.deepEqual(await videos.search('words', 5, never), [])
  const [pid] = JSON.parse(readFileSync(join(notes, 'pids'), 'utf8'))
  await eventually(() => isGone(pid))
})

test('a program that writes too much is stopped, while it writes and afterwards', async (t) => {
  const sparse = open(t, `fs.truncateSync(fs.openSync(result + '/clip.wav', 'w').toString() && result + '/clip.wav', 2 ** 30)`)
  await assert.rejects(
    sparse.videos.withClip(CLIP, never, async () => {}),
    failsWith('VIDEO_FETCH_FAILED', /needs more than/),
  )
  const slow = open(t, `fs.writeFileSync(result + '/clip.wav', Buffer.alloc(20 * 2 ** 20)); setInterval(() => {}, 1000)`)
  await assert.rejects(
    slow.videos.withClip(CLIP, never, async () => {}),
    failsWith('VIDEO_FETCH_FAILED', /needs more than/),
  )
  assert.deepEqual([sparse.left(), slow.left()], [[], []])
})

test('a program that prints 50 MB of JSON is stopped', async (t) => {
  const { videos } = open(
    t,
    `const line = JSON.stringify({ id: 'abc', title: 'x'.repeat(100000) }) + '\\n'
const write = (left) => left > 0 && process.stdout.write(line, () => write(left - 1))
write(500)`,
  )
  await assert.rejects(videos.search('words', 5, never), failsWith('VIDEO_FETCH_FAILED', /printed more than/))
})

test('a link, a folder, two files and another name are not taken as the clip', async (t) => {
  for (const body of [
    `fs.symlinkSync('/etc/passwd', result + '/clip.wav')`,
    `fs.mkdirSync(result + '/clip.wav')`,
    `fs.writeFileSync(result + '/clip.wav', 'x'); fs.writeFileSync(result + '/clip.wav.exe', 'x')`,
    `fs.writeFileSync(result + '/other.wav', 'x')`,
    '',
  ]) {
    const { videos, left } = open(t, body)
    await assert.rejects(
      videos.withClip(CLIP, never, async () => assert.fail('used')),
      failsWith('VIDEO_FETCH_FAILED', /did not write/),
    )
    assert.deepEqual(left(), [])
  }
})

test('the reason of a failure has no path, and a missing program has a hint', async (t) => {
  const { folder, videos } = open(t, `console.error('ERROR: unable to read ' + process.env.HOME + '/x'); process.exit(1)`)
  await assert.rejects(videos.search('words', 5, never), (error: Failure) => {
    assert.match(error.message, /^yt-dlp failed: ERROR: unable to read …\.$/)
    return true
  })
  const missing = createVideos({
    program: () => null,
    ffmpegPath: () => null,
    disk: { folder, budget: createDiskBudget({ folder }) },
    path: '',
    clock,
  })
  await assert.rejects(missing.search('words', 5, never), (error: Failure) => {
    assert.deepEqual([error.code, /yt-dlp/.test(error.message), /[Ii]nstall/.test(error.hint)], ['VIDEO_FETCH_FAILED', true, true])
    return true
  })
})

test('lines that are no video are left out, and long titles are cut', async () => {
  const { videoResults } = await import('#control-plane/features/voices/gallery/videos/results.ts')
  const lines = [
    'WARNING: not JSON',
    '[]',
    'null',
    JSON.stringify({ id: '../x', title: 'A path' }),
    JSON.stringify({ id: 'a', title: 'x\u0007'.repeat(400), duration: 'long', thumbnail: 'http://plain.example/x' }),
    JSON.stringify({ id: 'b', title: 'B', duration: 3725.4, thumbnails: [{ url: 'https://i.example/1' }, { url: 'https://i.example/2' }] }),
    JSON.stringify({ id: 'c', title: 'C' }),
  ]
  const [first, second, ...rest] = videoResults(lines.join('\n'), 2)
  assert.deepEqual([first!.video_id, first!.title.length, first!.duration, first!.thumbnail], ['a', 300, null, null])
  assert.deepEqual(second, { title: 'B', video_id: 'b', duration: '1:02:05', thumbnail: 'https://i.example/2' })
  assert.deepEqual(rest, [])
})
