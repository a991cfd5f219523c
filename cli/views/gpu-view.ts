// The state of the GPUs of this machine, for people.
import { printable } from '#cli/views/table.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'

type GpuState = {
  readonly gpus: readonly {
    readonly model: string
    readonly device: string
    readonly usable: boolean
    readonly reason?: string
    readonly fix?: string
  }[]
  readonly cuda: {
    readonly installed: boolean
    readonly folder: string | null
    readonly bytes: number
    readonly lost: readonly string[]
    readonly runtime: string
    readonly version: string
    readonly other_versions: readonly string[]
    readonly downloaded_bytes: number
  }
}
const DEVICES: Readonly<Record<string, string>> = { cuda: 'CUDA', webgpu: 'WebGPU' }

export function gpuLines({ gpus, cuda }: GpuState, command: string): string[] {
  const cards = gpus.flatMap(({ model, device, usable, reason = '', fix = '' }) =>
    usable
      ? [`${printable(model)}: usable with ${DEVICES[device] ?? device}.`]
      : [`${printable(model)}: present, not usable, because ${printable(reason)}.`, `  -> ${fix}`],
  )
  return [...(cards.length > 0 ? cards : ['No GPU was found. The engines run on the CPU.']), ...partsLines(cuda, command)]
}

function partsLines(
  { installed, folder, bytes, lost, runtime, version, other_versions: others, downloaded_bytes: downloaded }: GpuState['cuda'],
  command: string,
): string[] {
  const lines: string[] = []
  if (installed) lines.push(`CUDA parts: CUDA ${version} for onnxruntime ${runtime}, ${shortBytes(bytes)} in ${folder}.`)
  else if (others.length > 0) lines.push(`CUDA parts: installed for another version of this program. Run ${command} gpu install again.`)
  else lines.push(`CUDA parts: not installed. Only NVIDIA cards on Linux need them: ${command} gpu install.`)
  if (lost.length > 0) lines.push(`  Missing or damaged: ${lost.join(', ')}. Run ${command} gpu install again.`)
  if (downloaded > 0)
    lines.push(`  An installation did not end; ${shortBytes(downloaded)} of it are downloaded. Install again, or remove them.`)
  return lines
}
