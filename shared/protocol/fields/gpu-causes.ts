// Causes for which a device of this machine cannot be used: codes, sentences for its owner, and what to do. The agent finds the code; command
// line, doctor and pages show the rest. Pure.

/** First driver branch with CUDA 13 on Linux. */
export const OLDEST_DRIVER = 580
/** Compute capabilities of the kernels in our build of the CUDA provider, which has no code for others. */
export const OLDEST_CAPABILITY = 7.5
const NEWEST_CAPABILITY_OF_SERVERS = 9
const CAPABILITY_OF_BLACKWELL_CARDS = 12
export const CAPABILITIES = '7.5 to 9.0, and 12.0'

/** `capability`: as the driver writes it, such as "8.6". */
export function isCapable(capability: string): boolean {
  const number = /^\d{1,2}\.\d$/.test(capability) ? Number(capability) : Number.NaN
  return (number >= OLDEST_CAPABILITY && number <= NEWEST_CAPABILITY_OF_SERVERS) || number === CAPABILITY_OF_BLACKWELL_CARDS
}

type Cause = {
  /** End of a sentence. `detail`: the name of a library, a signal, a figure. */
  readonly reason: (detail: string) => string
  /** Whole sentences. `command`: the command of this program. */
  readonly fix: (command: string) => string
}
const NEWER_DRIVER = `Install the NVIDIA driver ${OLDEST_DRIVER} or later, then restart the machine.`

const CAUSES = {
  'provider-missing': {
    reason: (part) => `the part of the runtime for this device is not installed (${part})`,
    fix: (command) => `Run ${command} gpu install.`,
  },
  'library-missing': { reason: (name) => `the library ${name} is missing`, fix: (command) => `Run ${command} gpu install again.` },
  'driver-missing': {
    reason: () => 'the NVIDIA driver is missing (libcuda.so.1)',
    fix: () => `${NEWER_DRIVER} In WSL the driver of Windows is used.`,
  },
  'driver-not-in-container': {
    reason: () => 'this container has no NVIDIA driver (libcuda.so.1)',
    fix: () => 'Give the GPU to the container: install the NVIDIA Container Toolkit on its host, and start it with --gpus all.',
  },
  'driver-old': { reason: (detail) => `the NVIDIA driver is too old${detail}`, fix: () => NEWER_DRIVER },
  'no-device': {
    reason: (detail) => `the driver finds no GPU${detail}`,
    fix: () => 'Check that CUDA_VISIBLE_DEVICES is not empty, that nvidia-smi lists the card, and that the container has its device.',
  },
  'card-unsupported': {
    reason: (detail) => `the runtime has no code for this GPU, which is too old or too new${detail}`,
    fix: () => `CUDA works on cards with compute capability ${CAPABILITIES}. Other cards may work through Vulkan.`,
  },
  'driver-crash': {
    reason: (detail) => `it crashed when it was tried (${detail})`,
    fix: () => 'Update the driver of the card and restart the machine.',
  },
  'no-answer': {
    reason: (detail) => `it did not answer within ${detail}`,
    fix: () => 'Restart the machine. If it happens again, update the driver of the card.',
  },
  'cannot-try': { reason: (detail) => `it cannot be tried: ${detail}`, fix: () => 'Install the packages of this program again.' },
  'wrong-results': {
    reason: (detail) => `it computes wrong results (${detail})`,
    fix: () => 'Update the driver of the card. If that does not help, the card may be damaged.',
  },
  'slower-than-cpu': {
    reason: (detail) => `it is slower than the CPU (${detail})`,
    fix: () => 'Nothing is to be done: the CPU is the better choice here.',
  },
  'no-graphics-driver': {
    reason: () => 'no GPU driver was found (software drivers do not count)',
    fix: () => 'Install the Vulkan driver of the card, such as mesa-vulkan-drivers, and let this user open /dev/dri (group render).',
  },
  other: { reason: (detail) => detail, fix: () => 'Look up the message in docs/gpu.md.' },
} as const satisfies Readonly<Record<string, Cause>>

export type GpuCauseCode = keyof typeof CAUSES
export const GPU_CAUSE_CODES = Object.keys(CAUSES) as readonly GpuCauseCode[]

/** `reason`: end of a sentence. */
export type GpuCause = { readonly code: GpuCauseCode; readonly reason: string }
export const gpuCause = (code: GpuCauseCode, detail = ''): GpuCause => ({ code, reason: (CAUSES[code] as Cause).reason(detail) })
/** `command`: the command of this program on the machine of the device. */
export const gpuFix = (code: GpuCauseCode, command: string): string => (CAUSES[code] as Cause).fix(command)
