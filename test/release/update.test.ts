// An update of the real packages while clients send twenty requests a second: speech, durable tasks, jobs and streams. Three minutes.
import assert from 'node:assert/strict'
import { mkdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { PACKAGES, VERSION } from '#shared/protocol/version.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { runToEnd } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { freePort, temporaryFolder } from '#test/support/world/world.ts'
import { nativeName, nativePlatforms } from '#tools/release/natives.ts'
import { pack } from '#tools/release/pack.ts'

const OWN = `${process.platform}-${process.arch}`
const NEXT = '99.0.0'
const EVERY_MS = 50
/** Requests at once: a slow machine gets fewer a second. */
const MOST = 40
/** Longest time in which the port is closed, and the same in starts of a studio. */
const LONGEST_GAP_MS = 10_000
const GAP_IN_STARTS = 4
const skip = isLongRun ? !nativePlatforms().includes(OWN) && `no native package for ${OWN}` : 'long: ./studio test --long'

const endings: (() => unknown)[] = []
const world = { after: (run: () => unknown) => void endings.unshift(run) }
after(async () => {
  for (const end of endings) await end()
})

test('an update under load loses no task, job or stream, and a rollback restores', { skip, timeout: 1_200_000 }, async (t) => {
  const folder = temporaryFolder(world)
  const studio = [PACKAGES.studio, nativeName(OWN)]
  const packed = pack({ out: join(folder, 'old'), draft: true, only: studio })
  pack({ out: join(folder, 'new'), draft: true, only: [PACKAGES.studio], version: NEXT })
  const npm = join(folder, 'npm')
  mkdirSync(npm)
  writeFileSync(join(npm, 'package.json'), '{}')
  const options = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')]
  const installed = await runToEnd('npm', ['install', ...options, ...packed.map(({ file }) => file)], { cwd: npm })
  assert.equal(installed.code, 0, installed.errors)
  const env = {
    HOME: folder,
    STUDIO_DATA_DIR: join(folder, 'data'),
    STUDIO_PORT: String(await freePort()),
    STUDIO_WORKER_PORT: String(await freePort()),
    STUDIO_WORKER_ENDPOINT_HOST: '127.0.0.1',
    // For the route of durable tasks.
    STUDIO_DEVELOPMENT: '1',
  }
  const bin = join(npm, 'node_modules/.bin', PACKAGES.studio)
  const startedAt = performance.now()
  const program = startProgram(world, [bin, 'start'], env, { cwd: folder })
  const [, url = ''] = await program.says(/listens on (http:\S+)/)
  const startMs = performance.now() - startedAt
  assert.equal(readlinkSync(join(folder, 'data/program/current')), VERSION)
  const run = (...words: string[]) => runToEnd(process.execPath, [bin, ...words], { env, cwd: folder })

  const seen = { answered: 0, refused: 0, closed: 0, cut: 0 }
  let isFailed = false
  let closedAt = 0
  let gap = 0
  /** Repeats like a good client: on 503 after Retry-After, on a closed or cut connection soon. `form`: for routes that take forms. */
  async function send(path: string, body?: object, form?: Record<string, string>): Promise<Buffer> {
    const json = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    while (!isFailed) {
      const parts = new FormData()
      for (const [name, value] of Object.entries(form ?? {})) parts.set(name, value)
      try {
        const answer = await fetch(url + path, {
          ...(json && { method: 'POST', ...json }),
          ...(form && { method: 'POST', body: parts, headers: { prefer: 'respond-async' } }),
        })
        const bytes = Buffer.from(await answer.arrayBuffer())
        if (closedAt > 0) gap = Math.max(gap, performance.now() - closedAt)
        closedAt = 0
        if (answer.ok) {
          seen.answered++
          return bytes
        }
        assert.ok([429, 503].includes(answer.status), `${path}: ${answer.status} ${bytes}`)
        const seconds = Number(answer.headers.get('retry-after'))
        assert.ok(seconds > 0, `${path}: a refusal says when to come again`)
        seen.refused++
        await pause(Math.min(seconds, 3) * 1000)
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        const { code = '' } = ((error as Error).cause ?? {}) as { code?: string }
        if (code === 'ECONNREFUSED') {
          seen.closed++
          if (closedAt === 0) closedAt = performance.now()
        } else seen.cut++
        await pause(100)
      }
    }
    throw new Error('another request failed')
  }
  const KINDS: readonly ((index: number) => Promise<void>)[] = [
    async (index) => {
      const wav = await send('/v1/audio/speech', { input: `Number ${index}.`, response_format: 'wav' })
      assert.equal(wav.toString('latin1', 0, 4), 'RIFF')
      assert.ok(wav.length > 4_000, `${wav.length} bytes`)
    },
    async (index) => {
      const text = await send('/v1/audio/speech', { input: `Stream ${index}. And one more.`, response_format: 'pcm', stream_format: 'sse' })
      assert.match(text.toString(), /speech\.audio\.done/, 'a stream that began also ends')
    },
    async (index) => {
      const params = { segments: [{ text: `Task ${index}.` }] }
      const task = JSON.parse(
        (await send('/workers/tasks', { engine: 'flite', idempotency_key: `drill-${index}`, deadline_seconds: 600, params })).toString(),
      )
      assert.equal(task.state, 'completed', JSON.stringify(task))
    },
    async (index) => {
      const { id } = JSON.parse((await send('/generate', undefined, { text: `Job ${index}.` })).toString())
      for (;;) {
        const job = JSON.parse((await send(`/jobs/${id}`)).toString())
        if (job.status === 'done') return
        assert.ok(['pending', 'running'].includes(job.status), JSON.stringify(job))
        await pause(500)
      }
    },
  ]
  await send('/workers/enabled', { enabled: true })
  const work: Promise<void>[] = []
  let isOver = false
  let running = 0
  // Also after a failure: the clients end.
  world.after(() => {
    isOver = true
    isFailed = true
  })
  const clients = (async () => {
    for (let index = 0; !isOver; index++) {
      const piece = KINDS[index % KINDS.length]!(index)
      piece
        .catch(() => {
          isFailed = true
        })
        .finally(() => running--)
      running++
      work.push(piece)
      do await pause(EVERY_MS)
      while (running > MOST && !isFailed)
    }
  })()
  await pause(5_000)
  const updated = await run('update', '--from', join(folder, 'new'))
  assert.equal(updated.code, 0, updated.errors + updated.output)
  const said = await run('say', 'After the update.', '-o', join(folder, 'a.wav'))
  assert.equal(said.code, 0, said.errors)
  await pause(5_000)
  isOver = true
  await clients
  await Promise.all(work)
  const health = async () => (await (await fetch(`${url}/health`)).json()) as { version: string }
  assert.equal((await health()).version, NEXT)
  assert.equal(program.child.exitCode, null, 'the same process')
  t.diagnostic(
    `${work.length} requests: ${JSON.stringify(seen)}, port closed for ${Math.round(gap)} ms, a start takes ${Math.round(startMs)} ms`,
  )
  assert.ok(seen.refused + seen.closed > 0, 'the update met requests')

  const back = await run('rollback', '--yes')
  assert.equal(back.code, 0, back.errors)
  assert.equal((await health()).version, VERSION)
  assert.equal(await program.end('SIGTERM'), 0)
  // On a machine that is busy with other things everything takes longer, a start as well.
  const longest = Math.max(LONGEST_GAP_MS, GAP_IN_STARTS * startMs)
  assert.ok(gap <= longest, `the port was closed for ${Math.round(gap)} ms, a start takes ${Math.round(startMs)} ms`)
})
