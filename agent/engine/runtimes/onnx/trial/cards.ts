// The graphics cards of this machine, each found in the way of its system. Which of them work is not known from it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { execFile } from '#shared/runtime/child/process.ts'

/** `device`: the device of the runtime that such a card is tried as. */
export type Card = { readonly vendor: string; readonly model: string; readonly device: 'cuda' | 'webgpu' }
/** Standard output of a program; '' when it is missing or fails. */
export type RunQuery = (program: string, args: readonly string[]) => Promise<string>
export type CardDeps = {
  readonly platform?: string
  readonly arch?: string
  /** Root of the file system. */
  readonly root?: string
  readonly query?: RunQuery
  /** Name of the processor, which on Apple silicon is that of the GPU too. */
  readonly processor?: () => string
}

const MOST = 16
const LONGEST_NAME = 120
const QUERY_MS = 5_000
/** Classes of PCI devices: VGA, and 3D without an output. */
const IS_DISPLAY = /^0x0?30[02]/
const [NVIDIA, AMD, INTEL] = ['NVIDIA', 'AMD', 'Intel']
const VENDORS: Readonly<Record<string, string>> = { '0x10de': NVIDIA, '0x1002': AMD, '0x8086': INTEL }
/** The folder in which WSL puts the libraries and programs of the Windows driver. It is not on every PATH. */
export const WSL_DRIVER = '/usr/lib/wsl/lib'
const MAKERS = [
  [/\bNVIDIA\b/i, NVIDIA],
  [/\bAMD\b|\bRadeon\b/i, AMD],
  [/\bIntel\b/i, INTEL],
] as const
const WINDOWS_CARDS = '(Get-CimInstance Win32_VideoController).Name'

export async function findCards({
  platform = process.platform,
  arch = process.arch,
  root = '/',
  query = runQuery,
  processor = () => cpus()[0]?.model ?? '',
}: CardDeps = {}): Promise<Card[]> {
  if (platform === 'win32') return windowsCards(await query('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', WINDOWS_CARDS]))
  if (platform === 'darwin') return arch === 'arm64' ? [{ vendor: 'Apple', model: named(processor(), 'Apple GPU'), device: 'webgpu' }] : []
  if (platform !== 'linux') return []
  const ofDriver = driverCards(join(root, 'proc/driver/nvidia/gpus'))
  const nvidia = ofDriver.length > 0 ? ofDriver : await wslCards(root, query)
  // A card without its driver, as in a container that was not given it.
  const bare = nvidia.length > 0 ? [] : busCards(join(root, 'sys/bus/pci/devices'))
  const models = [...nvidia, ...bare].map((model): Card => ({ vendor: NVIDIA, model, device: 'cuda' }))
  return [...models, ...graphicsCards(join(root, 'sys/class/drm'))].slice(0, MOST)
}

/** True in a container of Docker, Podman or Kubernetes. */
export const isInContainer = (root = '/'): boolean =>
  ['.dockerenv', 'run/.containerenv', 'var/run/secrets/kubernetes.io'].some((path) => existsSync(join(root, path)))

/** nvidia-smi: the one of the PATH, or that of WSL. */
export const driverProgram = (root = '/'): string => {
  const inWsl = join(root, WSL_DRIVER, 'nvidia-smi')
  return existsSync(inWsl) ? inWsl : 'nvidia-smi'
}

const named = (text: string, fallback: string): string => text.trim().slice(0, LONGEST_NAME) || fallback
const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
const textAt = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}

/** Names as the NVIDIA driver lists them, in the order of their addresses; none without a driver. */
const driverCards = (folder: string): string[] =>
  namesIn(folder)
    .slice(0, MOST)
    .map((address) => named(/^Model:([^\n]{0,120})/m.exec(textAt(join(folder, address, 'information')))?.[1] ?? '', 'NVIDIA GPU'))

/** WSL has no folder of the driver below /proc. */
async function wslCards(root: string, query: RunQuery): Promise<string[]> {
  if (!existsSync(join(root, WSL_DRIVER)) || !existsSync(join(root, 'dev/dxg'))) return []
  const lines = (await query(driverProgram(root), ['--query-gpu=name', '--format=csv,noheader'])).split('\n')
  return lines
    .map((line) => line.trim().slice(0, LONGEST_NAME))
    .filter((line) => line !== '')
    .slice(0, MOST)
}

const busCards = (folder: string): string[] =>
  namesIn(folder)
    .filter((address) => IS_DISPLAY.test(textAt(join(folder, address, 'class'))))
    .filter((address) => VENDORS[textAt(join(folder, address, 'vendor'))] === NVIDIA)
    .map((address) => `NVIDIA GPU (${textAt(join(folder, address, 'device')).slice(0, 8) || 'unknown'})`)

/** Cards of AMD and Intel with a kernel driver. The kernel has the name of few of them. */
const graphicsCards = (folder: string): Card[] =>
  namesIn(folder)
    .filter((name) => /^card\d{1,3}$/.test(name))
    .flatMap((name): Card[] => {
      const device = join(folder, name, 'device')
      const vendor = VENDORS[textAt(join(device, 'vendor'))]
      if (vendor !== AMD && vendor !== INTEL) return []
      const id = textAt(join(device, 'device')).slice(0, 8) || 'unknown'
      return [{ vendor, model: named(textAt(join(device, 'product_name')), `${vendor} GPU (${id})`), device: 'webgpu' }]
    })

/** CUDA is not offered on Windows; the runtime reaches every card there through Direct3D 12. */
const windowsCards = (lines: string): Card[] =>
  lines
    .split('\n')
    .map((line) => line.trim().slice(0, LONGEST_NAME))
    .flatMap((model): Card[] => {
      const vendor = MAKERS.find(([pattern]) => pattern.test(model))?.[1]
      return vendor ? [{ vendor, model, device: 'webgpu' }] : []
    })
    .slice(0, MOST)

const runQuery: RunQuery = (program, args) =>
  new Promise((resolve) => {
    const options = { timeout: QUERY_MS, maxBuffer: 64 * 1024 }
    execFile(program, args, options, (error, stdout) => resolve(error ? '' : stdout))
  })
