// A complete studio on loopback, built from the real programs: control plane, local agent, borrowed machines. Everything that a test starts
// here is stopped when the test ends.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { lendAuthority } from '../starting/authorities.ts'
import { type Ending, MAX_WAIT_MS, type Program, startProgram } from './process.ts'

export type Reply = { readonly status: number; readonly headers: Headers; readonly body: Buffer; readonly json: () => any }
export type World = Awaited<ReturnType<typeof openWorld>>
export type Machine = {
  readonly program: Program
  readonly workerId: string
  readonly dataDir: string
  readonly restart: () => Promise<Machine>
}
type Options = {
  readonly env?: Record<string, string | undefined> /** Turn remote workers on. */
  readonly remote?: boolean /** The port of the studio stays the same when it is restarted. */
  readonly fixedPort?: boolean /** Do not wait for the local agent. */
  readonly impatient?: boolean /** Start no local agent; no machine is there. */
  readonly withoutAgent?: boolean /** A module that the studio loads before it starts, as a path from the root. */
  readonly preload?: string /** Limit of open files of the studio. */
  readonly openFiles?: number /** The program `node` of the studio and its machines. */
  readonly node?: string /** Let the studio create an authority of its own. */
  readonly ownAuthority?: boolean /** Writes into the data folder before the first start. */
  readonly prepare?: (dataDir: string) => void | Promise<void>
}

export function temporaryFolder(t: Ending): string {
  const folder = mkdtempSync(join(tmpdir(), 'studio-test-'))
  // A program that was killed a moment ago may still be writing.
  t.after(() => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    } catch (error) {
      if (process.platform !== 'win32') throw error // there the files of a program stay until its children have ended too
    }
  })
  return folder
}

const shared = new Map<string, () => Promise<World>>()
const preparations: Options['prepare'][] = []
const keyOf = ({ prepare, ...options }: Options): string => {
  if (!preparations.includes(prepare)) preparations.push(prepare)
  return JSON.stringify([options, preparations.indexOf(prepare)])
}
/**
 * One world for all tests of a file: the first call starts it, and it ends with the file. For tests that leave nothing behind that matters.
 * Files that share a process share the worlds with equal options (`prepare`: the same function): they list only things of their own, and end
 * with the settings of the start.
 */
export function sharedWorld(options: Options = {}): () => Promise<World> {
  const name = keyOf(options)
  const others = shared.get(name)
  if (others) return others
  const endings: (() => unknown)[] = []
  after(async () => {
    for (const end of endings) await end()
  })
  let opened: Promise<World> | undefined
  const open = () => (opened ??= openWorld({ after: (run) => endings.push(run) }, options))
  shared.set(name, open)
  return open
}

export async function openWorld(t: Ending, options: Options = {}) {
  const {
    env = {},
    remote = false,
    fixedPort = false,
    impatient = false,
    withoutAgent = false,
    preload = withoutAgent ? './test/support/starting/without-agent.ts' : undefined,
    openFiles,
    node = process.execPath,
    ownAuthority = false,
    prepare,
  } = options
  const dataDir = temporaryFolder(t)
  await prepare?.(dataDir)
  const settings: Record<string, string | undefined> & { readonly STUDIO_DATA_DIR: string } = {
    STUDIO_DATA_DIR: dataDir,
    STUDIO_PORT: fixedPort ? String(await freePort()) : '0',
    // The same across restarts, like a configured port: the machines reconnect to it.
    STUDIO_WORKER_PORT: String(await freePort()),
    STUDIO_WORKER_ENDPOINT_HOST: '127.0.0.1',
    STUDIO_DEVELOPMENT: '1',
    // Tokens of the programs of the model hub belong to the person who runs the tests.
    HF_HOME: join(dataDir, 'hub'),
    ...env,
  }
  const keepAuthority = ownAuthority ? () => {} : lendAuthority(settings.STUDIO_DATA_DIR)
  const args = [...(preload === undefined ? [] : ['--import', preload]), 'control-plane/main.ts']
  const start = () => startProgram(t, args, settings, { node, ...(openFiles !== undefined && { openFiles }) })
  let studio = start()
  let url = ''
  const ready = async (isPatient = !impatient) => {
    const [, port] = await studio.says(/listens on http:\/\/[^:]+:(\d+)/)
    url = `http://127.0.0.1:${port}`
    if (isPatient && !withoutAgent) await studio.says(/"workerId":"local".*a machine is connected/)
  }
  await ready()
  keepAuthority()

  // In server mode no sender is local: the owner sends the key.
  const owner = () => (settings['STUDIO_SERVER_MODE'] === '1' ? { authorization: `Bearer ${settings['STUDIO_API_KEY']}` } : {})
  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<Reply> {
    const form = body instanceof FormData
    const response = await fetch(url + path, {
      method,
      headers: { ...owner(), ...(body !== undefined && !form && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: form ? body : typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, body: bytes, json: () => JSON.parse(bytes.toString()) }
  }
  const world = {
    dataDir,
    get url() {
      return url
    },
    /** The address of the page, without its slash. */
    get page() {
      return url + (settings['STUDIO_BASE_PATH'] ?? '')
    },
    get studio() {
      return studio
    },
    send,
    get: (path: string) => send('GET', path),
    post: (path: string, body?: unknown, signal?: AbortSignal) => send('POST', path, body, {}, signal),
    put: (path: string, body?: unknown) => send('PUT', path, body),
    patch: (path: string, body?: unknown) => send('PATCH', path, body),
    delete: (path: string) => send('DELETE', path),
    /**
     * Ends the studio with the signal and starts it again with the same data. `changed`: settings from then on. `isPatient`: waits for the local
     * agent.
     */
    async restart(signal: NodeJS.Signals = 'SIGTERM', changed: Record<string, string> = {}, isPatient = !impatient) {
      await studio.end(signal)
      Object.assign(settings, changed)
      studio = start()
      await ready(isPatient)
    },
    async code(request: Record<string, unknown> = {}): Promise<string> {
      const reply = await send('POST', '/workers/enrollments', request)
      if (reply.status !== 200) throw new Error(`no join code: ${reply.status} ${reply.body}`)
      return reply.json().token
    },
    /** A borrowed machine: joins with a code, runs, and is connected when this resolves. It is not approved. `request`: body of the code request. */
    async machine(name: string, agentEnv: Record<string, string> = {}, request: Record<string, unknown> = {}): Promise<Machine> {
      return world.join(await world.code({ label: name, ...request }), agentEnv)
    },
    /** The same with an existing code. */
    async join(code: string, agentEnv: Record<string, string> = {}): Promise<Machine> {
      const folder = temporaryFolder(t)
      const environment = { STUDIO_DATA_DIR: folder, STUDIO_DEVELOPMENT: '1', ...agentEnv }
      const before = studio.output().length
      const joining = startProgram(t, ['test/support/starting/join-and-run.ts', code], environment, { node })
      const [, workerId = ''] = await joining.says(/ as ([0-9a-f]+)\.\n/)
      const connected = async (program: Program, from: number): Promise<Machine> => {
        await studio.says(new RegExp(`"workerId":"${workerId}".*a machine is connected`), { from })
        const restart = () => {
          const now = studio.output().length
          return connected(startProgram(t, ['agent/main.ts'], environment, { node }), now)
        }
        return { program, workerId, dataDir: folder, restart }
      }
      return connected(joining, before)
    },
    async approve({ workerId }: Machine): Promise<void> {
      const reply = await send('POST', `/workers/${workerId}/consent`)
      if (reply.status !== 200) throw new Error(`not approved: ${reply.body}`)
    },
    /** Removes a machine and ends its program; work runs on this machine again. For files that share the world. */
    async remove({ workerId, program }: Pick<Machine, 'workerId' | 'program'>): Promise<void> {
      await send('DELETE', `/workers/${workerId}`)
      await send('POST', '/workers/target', { target: 'local' })
      await program.end('SIGKILL')
    },
    /** A development task; the reply arrives when it has ended. */
    task: (body: Record<string, unknown>, signal?: AbortSignal) =>
      send('POST', '/workers/tasks', { deadline_seconds: 120, ...body }, {}, signal),
  }
  if (remote) await world.post('/workers/enabled', { enabled: true })
  return world
}

// Below the ports that the kernel gives to outgoing connections and to programs that ask for any port, so that no other process takes the
// port before it is used.
const PORTS = { first: 20_000, count: 12_000 }
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + randomInt(PORTS.count)
    const server = createServer().listen(port, '0.0.0.0')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

const POLL_MS = { first: 25, most: 200 }
/** Polls until `look` returns a value; for states without an event. The interval grows, because polls take processor time from the programs. */
export async function eventually<T>(
  look: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  ms = MAX_WAIT_MS,
): Promise<T> {
  const until = performance.now() + ms
  for (let pause = POLL_MS.first; ; pause = Math.min(pause * 1.3, POLL_MS.most)) {
    const value = await look()
    if (value) return value
    if (performance.now() > until) throw new Error(`nothing came within ${ms} ms`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
