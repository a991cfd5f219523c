// `gpu`: shows which GPUs the engines can use, and installs or removes the CUDA parts of the neural runtime. Works without a running studio.
import { createHash } from 'node:crypto'
import { createReadStream, lstatSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { runtimeLibrary } from '#agent/engine/runtimes/onnx/library.ts'
import { driverProgram, findCards, isInContainer } from '#agent/engine/runtimes/onnx/trial/cards.ts'
import { createDeviceTrial } from '#agent/engine/runtimes/onnx/trial/trial.ts'
import { CUDA_SET, downloadBytes, neededBytes } from '#agent/gpu/cuda-parts.ts'
import { downloadedBytes, gpuEnvironment, gpuRoot, installedGpu, otherVersions, removeGpu, withLibraries } from '#agent/gpu/folder.ts'
import { installGpu } from '#agent/gpu/install.ts'
import { DRIVER_QUERY, driverCards, gpuRefusal } from '#agent/gpu/requirements.ts'
import { fromFolder, fromIndex, fromPip, type PartSource } from '#agent/gpu/sources.ts'
import { captureProgram } from '#cli/lib/child.ts'
import {
  type CommandRun,
  Misuse,
  type Outcome,
  parseArguments,
  print,
  refuseArguments,
  type Terminal,
  unknownVerb,
} from '#cli/lib/command.ts'
import { agreed } from '#cli/lib/install-programs.ts'
import { studioFolder } from '#cli/lib/studio/folder.ts'
import { gpuLines } from '#cli/views/gpu-view.ts'
import { createFetch } from '#shared/download/fetch.ts'
import { gpuFix } from '#shared/protocol/fields/gpu-causes.ts'
import { AGENT_COMMAND, COMMAND, VERSION } from '#shared/protocol/version.ts'
import { childEnvironment } from '#shared/runtime/child/environment.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import { findProgram } from '#shared/runtime/program.ts'

const OPTIONS = {
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
  from: { type: 'string' },
  index: { type: 'string' },
  untried: { type: 'boolean' },
} as const
type Values = {
  readonly json?: boolean
  readonly yes?: boolean
  readonly from?: string
  readonly index?: string
  /** For the build of an image, which has no GPU: neither card nor driver is looked for, and nothing is tried. */
  readonly untried?: boolean
}
const STALL_MS = 30_000
const QUERY_MS = 5_000
/** Variables that say where pip finds packages, and how it reaches them. */
const OF_PIP = [
  ...['PIP_INDEX_URL', 'PIP_EXTRA_INDEX_URL', 'PIP_FIND_LINKS', 'PIP_CONFIG_FILE', 'PIP_CERT', 'PIP_DEFAULT_TIMEOUT', 'XDG_CONFIG_HOME'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'SSL_CERT_FILE'],
]

const commandOf =
  (command: string): CommandRun =>
  async (args, terminal) => {
    const { values, positionals } = parseArguments(args, OPTIONS)
    const [verb = 'show', ...more] = positionals
    if (!['show', 'install', 'remove'].includes(verb)) throw unknownVerb('gpu', verb, ['install', 'remove'])
    refuseArguments(verb === 'show' ? 'gpu' : `gpu ${verb}`, more)
    if (verb !== 'install' && (values.from !== undefined || values.index !== undefined || values.yes || values.untried))
      throw new Misuse('The options --from, --index, --untried and --yes belong to gpu install.')
    const dataDir = studioFolder(terminal.env)
    if (verb !== 'show' && areOfImage(dataDir, terminal.env))
      throw new Error('The CUDA parts here are those of the image. To change them, build the image again.')
    if (verb === 'install') return install({ command, dataDir, values, terminal })
    print(verb === 'remove' ? remove(dataDir) : await show(command, dataDir, terminal), values.json, terminal.output)
    return 0
  }
export const run: CommandRun = commandOf(COMMAND)
/** The same for the program of lenders. */
export const runForAgent: CommandRun = commandOf(AGENT_COMMAND)

/** True if the folder of the parts is a link to those of an image, which are not changed from inside it (deploy/container/cuda.sh). */
const areOfImage = (dataDir: string, env: Terminal['env']): boolean =>
  env['VOICE_STUDIO_IN_IMAGE'] === '1' && (lstatSync(gpuRoot(dataDir), { throwIfNoEntry: false })?.isSymbolicLink() ?? false)

async function show(command: string, dataDir: string, { env }: Terminal): Promise<Outcome> {
  const cards = await findCards()
  const trial = createDeviceTrial({ environment: gpuEnvironment(childEnvironment(env), dataDir) })
  const devices = [...new Set(cards.map(({ device }) => device))]
  const causes = new Map(await Promise.all(devices.map(async (device) => [device, await trial(device)] as const)))
  const found = cards.map(({ vendor, model, device }) => {
    const cause = causes.get(device) ?? null
    return { vendor, model, device, usable: cause === null, ...(cause && { ...cause, fix: gpuFix(cause.code, command) }) }
  })
  const folder = installedGpu(dataDir)
  const value = {
    gpus: found,
    cuda: {
      installed: folder !== null,
      folder: folder?.path ?? null,
      bytes: folder?.bytes ?? 0,
      lost: folder?.lost ?? [],
      runtime: CUDA_SET.runtime,
      version: CUDA_SET.cuda,
      other_versions: otherVersions(dataDir),
      downloaded_bytes: downloadedBytes(dataDir),
    },
  }
  return { value, lines: gpuLines(value, command) }
}

const remove = (dataDir: string): Outcome => {
  const removed = removeGpu(dataDir)
  return { value: { removed }, lines: [removed ? 'The CUDA parts are removed.' : 'No CUDA parts are installed.'] }
}

type Installing = { readonly command: string; readonly dataDir: string; readonly values: Values; readonly terminal: Terminal }
async function install({ command, dataDir, values, terminal }: Installing): Promise<number> {
  const { env, output } = terminal
  const signal = terminal.interrupted()
  const source = sourceOf(values, terminal, signal)
  const environment = childEnvironment(env)
  const runtime = runtimeLibrary()
  const driver = values.untried ? null : await driverLines(environment, signal)
  const { bavail, bsize } = await statfs(privateFolder(dataDir))
  const refusal = gpuRefusal(
    {
      platform: process.platform,
      arch: process.arch,
      inContainer: isInContainer(),
      runtimeSha256: runtime && (await sha256(runtime)),
      driver,
      freeBytes: bavail * bsize,
      presentBytes: downloadedBytes(dataDir),
    },
    CUDA_SET,
    command,
  )
  if (refusal !== null || runtime === null) throw new Error(refusal ?? 'The neural runtime is not installed.')
  for (const card of driverCards(driver ?? '')) output.write(`${card.name}, driver ${card.driver}, compute capability ${card.capability}\n`)
  output.write(
    `${values.from === undefined ? 'Downloads' : 'Reads'} ${shortBytes(downloadBytes(CUDA_SET))}: CUDA ${CUDA_SET.cuda} and cuDNN of NVIDIA, and the CUDA provider of onnxruntime ${CUDA_SET.runtime}. Needs ${shortBytes(neededBytes(CUDA_SET))} of disk until it is done, and ${shortBytes(CUDA_SET.installedBytes)} afterwards, in ${gpuRoot(dataDir)}.\n` +
      'Licences: onnxruntime is under the MIT licence. The libraries of NVIDIA are under the CUDA Toolkit End User License Agreement and the cuDNN licence, which you accept by installing them. Their texts are put beside the libraries.\n',
  )
  if (!values.yes && !(await agreed('Install them? (y/N) ', terminal))) return 1
  let shown = 0
  const cause = await installGpu({
    dataDir,
    set: CUDA_SET,
    source,
    runtime,
    trial: async (folder) => (values.untried ? null : createDeviceTrial({ environment: withLibraries(environment, folder) })('cuda')),
    signal,
    onBytes(present) {
      const percent = Math.floor((present / downloadBytes(CUDA_SET)) * 20) * 5
      if (percent > shown) output.write(`${percent} %\n`)
      shown = Math.max(shown, percent)
    },
    onStep: (step) => {
      if (step === 'unpacking') output.write('Unpacking …\n')
      else if (!values.untried) output.write('Trying the GPU …\n')
    },
  })
  if (cause === null) {
    output.write(
      values.untried
        ? 'Installed without a trial. Engines try the GPU before they use it.\n'
        : 'The GPU works. Start the studio or the agent again, so that engines use it.\n',
    )
    return 0
  }
  throw new Error(`Nothing was installed: the GPU cannot be used, because ${cause.reason}. ${gpuFix(cause.code, command)}`)
}

function sourceOf({ from, index }: Values, { env, cwd }: Terminal, signal: AbortSignal): PartSource {
  if (from !== undefined && index !== undefined) throw new Misuse('Use --from or --index, not both.')
  if (from !== undefined) return fromFolder(resolve(cwd, from))
  if (index !== undefined) {
    if (!URL.canParse(index)) throw new Misuse('--index takes the address of an index of Python packages, such as https://HOST/simple.')
    const base = new URL(index)
    return fromIndex(base, createFetch({ base, token: null, clock: systemClock, version: VERSION, stallMs: STALL_MS }))
  }
  const python = findProgram('python3', env['PATH'])
  if (!python) throw new Misuse('Without Python, name an index of Python packages with --index, or a folder with the files with --from.')
  return fromPip((args) => captureProgram(python, args, { env: childEnvironment(env, OF_PIP), signal }))
}

async function driverLines(env: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(QUERY_MS)])
  const { code, text } = await captureProgram(driverProgram(), DRIVER_QUERY, { env, signal: limit })
  return code === 0 ? text : ''
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(piece as Buffer)
  return hash.digest('hex')
}
