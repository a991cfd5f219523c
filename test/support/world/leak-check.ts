// Preloaded into every test file by `./studio test`. A file whose process is still alive some seconds after its last test holds
// something open (a timer, a socket, a child); it is ended and fails, instead of keeping the whole run waiting for ever.
import { after } from 'node:test'
import { isMainThread } from 'node:worker_threads'

const GRACE = 8_000 // For `after` hooks of the file itself, which run once this one has returned.

// Forked children and worker threads inherit the preload; they are not test files.
const file = process.argv[1] ?? ''
if (isMainThread && /\.(test|fixture)\.ts$/.test(file)) {
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
  // Node waits at its end for handles that are still closing. Seen once with sockets that were reset while they connected: it waits for
  // ever and at full speed. Everything was reported by now, so the process may end without it.
  process.once('exit', (code) => (process as unknown as { reallyExit: (code: number) => never }).reallyExit(code))
}
