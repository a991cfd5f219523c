// Preloaded into every test file by `./studio test`. If the process of a file is still alive a minute after its last test, something is
// still open (a timer, a socket, a child process). The process is ended and the file fails, instead of blocking the run. At its end each
// file notes its processor time in the folder of the run.
import '#shared/runtime/builtin/imports.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { isMainThread } from 'node:worker_threads'

const FOLDER = process.env['VOICE_STUDIO_TEST_FOLDER']
const TICKS_PER_SECOND = 100
/** Fields of /proc/self/stat after the name: time of this process and of the children that it waited for, in user and in system mode. */
const TIMES = [11, 15] as const
/** For `after` hooks of the file, which run after this one: on a busy machine a studio takes ten seconds and more to stop. In milliseconds. */
const GRACE = Number(process.env['VOICE_STUDIO_TEST_GRACE'] ?? 60_000)

// Child processes and worker threads inherit the preload; they are not test files.
const file = process.argv[1] ?? ''
if (isMainThread && /\.(test|fixture)\.ts$/.test(file)) {
  process.env['VOICE_STUDIO_TEST_FILE'] = file // processes that outlive the tests are reported with it
  after(() => {
    const end = () => {
      const held = process.getActiveResourcesInfo().filter((name) => name !== 'TTYWrap')
      process.stderr.write(
        `${file} still holds ${GRACE / 1000} s after its last test: ${held.join(', ')} (two PipeWrap are its own output)\n`,
      )
      process.exit(1)
    }
    setTimeout(end, GRACE).unref()
  })
  if (FOLDER !== undefined) process.once('exit', () => noteTime(FOLDER))
  // At exit Node waits for handles that are still closing. It was seen to wait forever, with full CPU load, for sockets that were reset while
  // they connected. All results have been reported at this point, so the process may exit.
  process.once('exit', (code) => (process as unknown as { reallyExit: (code: number) => never }).reallyExit(code))
}

function noteTime(folder: string): void {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ')
    const ticks = fields.slice(...TIMES).reduce((sum, field) => sum + Number(field), 0)
    writeFileSync(join(folder, `time-${process.pid}`), JSON.stringify({ file, seconds: ticks / TICKS_PER_SECOND }))
  } catch {
    // no /proc, or the run was interrupted and its folder is gone
  }
}
