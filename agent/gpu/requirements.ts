// Conditions under which the CUDA parts can be used, checked before anything is downloaded. Pure.
import { CAPABILITIES, gpuCause, gpuFix, isCapable, OLDEST_DRIVER } from '#shared/protocol/fields/gpu-causes.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import { type CudaSet, neededBytes } from './cuda-parts.ts'

export type GpuMachine = {
  readonly platform: string
  readonly arch: string
  readonly inContainer: boolean
  /** SHA-256 of the library of the runtime; null when it is not installed. */
  readonly runtimeSha256: string | null
  /** Lines of the driver's program: name, version of the driver, compute capability; '' when it is missing or fails, null when no card is required. */
  readonly driver: string | null
  /** Bytes on the disk of the data folder. */
  readonly freeBytes: number
  /** Bytes of an earlier download that need not be downloaded again. */
  readonly presentBytes: number
}
export type DriverCard = { readonly name: string; readonly driver: string; readonly capability: string }

export const DRIVER_QUERY = ['--query-gpu=name,driver_version,compute_cap', '--format=csv,noheader']

export const driverCards = (lines: string): DriverCard[] =>
  lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 16)
    .map((line) => {
      const [name = '', driver = '', capability = ''] = line.split(',').map((cell) => cell.trim().slice(0, 120))
      return { name, driver, capability }
    })

/** Whole sentences; null when the parts can be installed. */
export function gpuRefusal(machine: GpuMachine, set: CudaSet, command: string): string | null {
  const { platform, arch, driver, freeBytes, presentBytes } = machine
  if (platform === 'win32' || (platform === 'darwin' && arch === 'arm64'))
    return 'Nothing is to be installed here: on Windows and on Apple silicon the engines reach the GPU without these parts.'
  if (platform !== 'linux' || arch !== 'x64') return 'The CUDA parts exist for Linux on x64 only.'
  if (machine.runtimeSha256 === null) return 'The neural runtime is not installed. Install the packages of this program first.'
  if (machine.runtimeSha256 !== set.runtimeSha256)
    return `The neural runtime on this machine is not the ${set.runtime} that the CUDA parts belong to. Install the packages of this program again.`
  const unusable = driver === null ? null : cardRefusal(driver, machine.inContainer, set, command)
  if (unusable !== null) return unusable
  const needed = Math.max(0, neededBytes(set) - presentBytes)
  if (freeBytes < needed)
    return `The disk of the data folder has ${shortBytes(freeBytes)} free, and the installation needs ${shortBytes(needed)}. Free some space first.`
  const unpinned = set.parts.find(({ sha256 }) => sha256 === null)
  if (unpinned) return `This version has no digest for ${unpinned.name} ${unpinned.version}, so it is not downloaded. Update this program.`
  return null
}

function cardRefusal(driver: string, inContainer: boolean, set: CudaSet, command: string): string | null {
  const cards = driverCards(driver)
  if (cards.length === 0) {
    const cause = gpuCause(inContainer ? 'driver-not-in-container' : 'driver-missing')
    return `The GPU cannot be used, because ${cause.reason}. ${gpuFix(cause.code, command)}`
  }
  const version = cards[0]!.driver
  if (!(Number.parseFloat(version) >= OLDEST_DRIVER))
    return `The NVIDIA driver ${version} is too old: CUDA ${set.cuda} needs ${OLDEST_DRIVER} or later. ${gpuFix('driver-old', command)}`
  if (!cards.some(({ capability }) => isCapable(capability))) {
    const names = cards.map(({ name, capability }) => `${name} (compute capability ${capability})`).join(', ')
    return `The runtime has no code for ${names}. It has code for ${CAPABILITIES}.`
  }
  return null
}
