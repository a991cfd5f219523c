// Images of deploy/container, built and started with buildah, which needs no daemon. The base is Debian by debootstrap with this Node, because a test
// downloads no image. Everything is in one folder, which the test removes.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from '#shared/runtime/program.ts'
import { isLongRun } from '../support/long-run.ts'
import { REPOSITORY } from '../support/world/cli.ts'
import { MAX_WAIT_MS } from '../support/world/process.ts'

const run = promisify(execFile)
const PATH = `${process.env['PATH']}:/usr/sbin:/sbin`
const missing = ['buildah', 'debootstrap', 'npm'].find((name) => !findProgram(name, PATH))

/** The reason why images cannot be built here, for `skip`. */
export const noImages = !isLongRun
  ? 'long: ./studio test --long'
  : missing !== undefined
    ? `${missing} is not installed`
    : process.getuid?.() !== 0 && 'debootstrap needs root'

const BASE = 'localhost/node:test'
const LONGEST_MS = 1_500_000

export type ImageStore = ReturnType<typeof openStore>
/** `folder`: gets the store of the images. `packages`: a folder with the packages of `release pack`. */
export function openStore(folder: string, packages: string) {
  const store = ['--storage-driver', 'vfs', '--root', join(folder, 'root'), '--runroot', join(folder, 'runroot')]
  const env = { PATH, HOME: folder, TMPDIR: folder }
  const buildah = async (...args: string[]) =>
    (await run('buildah', [...store, ...args], { env, timeout: LONGEST_MS, maxBuffer: 2 ** 26 })).stdout.trim()
  const context = join(folder, 'context')

  return {
    buildah,

    /** Makes the base image. Throws when Debian cannot be downloaded. */
    async base(): Promise<void> {
      const system = join(folder, 'system')
      await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', system], {
        env,
        timeout: LONGEST_MS,
        maxBuffer: 2 ** 26,
      })
      const npm = dirname(dirname(realpathSync(findProgram('npm', PATH)!)))
      cpSync(process.execPath, join(system, 'usr/local/bin/node'))
      cpSync(npm, join(system, 'usr/local/lib/npm'), { recursive: true, dereference: true })
      writeFileSync(join(system, 'usr/local/bin/npm'), '#!/bin/sh\nexec node /usr/local/lib/npm/bin/npm-cli.js "$@"\n', { mode: 0o755 })
      const container = await buildah('from', 'scratch')
      await buildah('add', '--quiet', container, system, '/')
      await buildah('commit', '--quiet', container, BASE)
      await buildah('rm', container)
      await run('rm', ['-rf', '--one-file-system', system])
    },

    async build(target: 'agent' | 'studio'): Promise<void> {
      mkdirSync(context, { recursive: true })
      cpSync(join(REPOSITORY, 'deploy/container'), context, { recursive: true, filter: (path) => !path.endsWith('/packages') })
      cpSync(packages, join(context, 'packages'), { recursive: true })
      const options = ['--isolation', 'chroot', '--pull-never', '--layers=false', '--format', 'docker', '--build-arg', `NODE_IMAGE=${BASE}`]
      await buildah('build', ...options, '--target', target, '--tag', `localhost/${target}:test`, context)
    },

    /** Starts the image with its own command, or with these words. `volume`: the folder of its data, owned by user 10001. */
    async start(target: 'agent' | 'studio', volume: string, words: readonly string[], settings: Readonly<Record<string, string>>) {
      const container = await buildah('from', '--pull-never', `localhost/${target}:test`)
      const set = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`])
      const options = ['--isolation', 'chroot', '--user', '10001:10001', '--volume', `${volume}:/var/lib/voice-studio`, ...set]
      const command = target === 'agent' ? 'voice-studio-agent' : 'voice-studio'
      const child = spawn('buildah', [...store, 'run', ...options, container, '--', command, ...words], {
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += piece))
      // A program in a container that is still ending keeps the streams of its parent open, and with them the process of the tests.
      const release = () => {
        for (const stream of child.stdio) stream?.destroy()
      }
      const ended = once(child, 'close').then(([code]) => {
        release()
        return code as number | null
      })
      return {
        container,
        input: child.stdin,
        output: () => said,
        ended,
        says: (pattern: RegExp) =>
          new Promise<RegExpExecArray>((resolve, reject) => {
            const look = () => {
              const match = pattern.exec(said)
              if (match) resolve(match)
            }
            for (const stream of [child.stdout, child.stderr]) stream.on('data', look)
            void ended.then(() => reject(new Error(`ended before it printed ${pattern}:\n${said}`)))
            setTimeout(() => reject(new Error(`did not print ${pattern}:\n${said}`)), MAX_WAIT_MS).unref()
            look()
          }),
        end(signal: NodeJS.Signals = 'SIGTERM') {
          child.kill(signal)
          child.stdin.end()
          return ended
        },
      }
    },
  }
}
