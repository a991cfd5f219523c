// The transformers library, restricted: loaded lazily, in engine hosts only, without its image code, and reading only files of this
// machine. It never uses the network; a missing file is a failure.

import { registerHooks } from 'node:module'
import { basename, dirname } from 'node:path'
import { type ChooseDevice, chooseDevice } from '#agent/engine/runtimes/onnx/place.ts'
import { libraryMessage } from '#agent/engine/runtimes/without-folders.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { silenceProcess } from '#shared/runtime/child/environment.ts'

/** The used part of the library; its own types are far larger and less precise. */
export type TransformersLibrary = {
  readonly env: Record<string, unknown>
  readonly pipeline: (task: string, model: string, options: Record<string, unknown>) => Promise<unknown>
  readonly Tensor: new (type: string, values: BigInt64Array, dims: readonly number[]) => unknown
  readonly InterruptableStoppingCriteria: new () => { readonly interrupt: () => void; readonly reset: () => void }
}

/** Stopping criteria that interrupt a pipeline on abort. Call `forget` once it has answered. */
export function createStopper(
  library: TransformersLibrary,
  signal: AbortSignal,
): { readonly stopping: unknown; readonly forget: () => void } {
  const stopping = new library.InterruptableStoppingCriteria()
  const stop = () => stopping.interrupt()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  return { stopping, forget: () => signal.removeEventListener('abort', stop) }
}

// The library imports `sharp` for images, which is not installed; speech and text never call it.
const NO_IMAGES = `data:text/javascript,${encodeURIComponent("export default function sharp() { throw new Error('no images here') }")}`

let loading: Promise<TransformersLibrary> | null = null
export async function loadTransformers(): Promise<TransformersLibrary> {
  loading ??= (async () => {
    const hooks = registerHooks({
      resolve: (specifier, context, next) => (specifier === 'sharp' ? { url: NO_IMAGES, shortCircuit: true } : next(specifier, context)),
    })
    silenceProcess() // it loads onnxruntime-node
    try {
      const loaded = (await import('@huggingface/transformers')) as unknown as TransformersLibrary
      // Its log messages go to standard output and repeat the input.
      Object.assign(loaded.env, {
        allowRemoteModels: false,
        allowLocalModels: true,
        useFSCache: false,
        useBrowserCache: false,
        logLevel: 50,
      })
      return loaded
    } finally {
      hooks.deregister()
    }
  })().catch((cause) => {
    loading = null
    throw new Failure('MODEL_NOT_INSTALLED', 'The transformers library cannot be loaded. Install the packages of this program again.', {
      cause,
    })
  })
  return loading
}

/** The precision of the downloaded graphs: the plain ones if present, else the quantised ones. `files` by name in the repository. */
const precisionOf = (files: ReadonlyMap<string, string>): string => {
  const graphs = [...files.keys()].filter((name) => name.endsWith('.onnx'))
  if (graphs.some((name) => /model(_merged)?\.onnx$/.test(name))) return 'fp32'
  if (graphs.some((name) => name.endsWith('_quantized.onnx'))) return 'q8'
  return (['q4', 'fp16', 'int8'] as const).find((suffix) => graphs.some((name) => name.endsWith(`_${suffix}.onnx`))) ?? 'fp32'
}

const CPU = 'cpu'
// The model folder is one setting of the whole library, read while a model loads, so models are loaded one after the other.
let queue: Promise<unknown> = Promise.resolve()

export type OpenedPipeline<P> = {
  readonly pipeline: P
  readonly library: TransformersLibrary
  readonly device: string
  /** Reason why a preferred device is not used; '' otherwise. */
  readonly reason: string
}

/** The pipeline of a downloaded model, on the first of `devices` that works. Throws MODEL_NOT_INSTALLED, MODEL_NOT_DOWNLOADED, INSUFFICIENT_MEMORY. */
export async function openPipeline<P>(
  task: string,
  files: ReadonlyMap<string, string>,
  devices = 'cpu',
  choose: ChooseDevice = chooseDevice,
): Promise<OpenedPipeline<P>> {
  const config = files.get('config.json')
  if (!config) throw new Failure('MODEL_NOT_DOWNLOADED', 'The model has no config.json. Download it again.')
  const folder = dirname(config)
  const loaded = await loadTransformers()
  const graphs = [...files].flatMap(([name, path]) => (name.endsWith('.onnx') ? [path] : []))
  const place = devices === CPU ? { device: CPU, reason: '' } : await choose(devices, graphs)
  const openOn = (device: string): Promise<unknown> => {
    loaded.env['localModelPath'] = dirname(folder)
    return loaded.pipeline(task, basename(folder), {
      local_files_only: true,
      device,
      dtype: precisionOf(files),
      // A spinning thread pool would take the cores from the agent and from other hosts between two steps.
      session_options: { logSeverityLevel: 4, extra: { session: { intra_op: { allow_spinning: '0' } } } },
    })
  }
  const loadingModel = queue.then(async () => {
    try {
      return { pipeline: await openOn(place.device), ...place }
    } catch (error) {
      if (place.device === CPU) throw error
      return { pipeline: await openOn(CPU), device: CPU, reason: `${place.device}: ${libraryMessage(error, files.values(), 200)}` }
    }
  })
  queue = loadingModel.catch(() => {})
  try {
    const { pipeline, device, reason } = await loadingModel
    return { pipeline: pipeline as P, library: loaded, device, reason }
  } catch (cause) {
    const details = libraryMessage(cause, files.values(), 200)
    if (/alloc|out of memory/i.test(details))
      throw new Failure('INSUFFICIENT_MEMORY', `The model does not fit into memory: ${details}.`, { cause })
    throw new Failure(
      'MODEL_NOT_DOWNLOADED',
      `The model does not open (${details}). If its files are incomplete or damaged, download it again.`,
      { cause },
    )
  }
}
