// The transformers library, kept on a short lead: loaded late and in engine hosts only, from files of this machine only, without its image
// code. It never asks the network: what is not downloaded is a failure that says so.

import { registerHooks } from 'node:module'
import { basename, dirname } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'

/** What is used of the library; its own types are far larger and say less. */
export type TransformersLibrary = {
  readonly env: Record<string, unknown>
  readonly pipeline: (task: string, model: string, options: Record<string, unknown>) => Promise<unknown>
  readonly InterruptableStoppingCriteria: new () => { readonly interrupt: () => void; readonly reset: () => void }
}

/** What a pipeline is given so that it stops with the signal; `forget` when it has answered. */
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

// It imports `sharp` for images, whose binary may be missing on a machine; speech and text never call it.
const NO_IMAGES = `data:text/javascript,${encodeURIComponent("export default function sharp() { throw new Error('no images here') }")}`

let loading: Promise<TransformersLibrary> | null = null
export async function loadTransformers(): Promise<TransformersLibrary> {
  loading ??= (async () => {
    const hooks = registerHooks({
      resolve: (specifier, context, next) => (specifier === 'sharp' ? { url: NO_IMAGES, shortCircuit: true } : next(specifier, context)),
    })
    try {
      const loaded = (await import('@huggingface/transformers')) as unknown as TransformersLibrary
      // Its words go to standard output and repeat what it was given.
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
    throw new Failure('MODEL_NOT_INSTALLED', 'the transformers library cannot be loaded: install the packages of this program again', {
      cause,
    })
  })
  return loading
}

/** Files by their names in the model's repository. The quantised graphs are taken when the plain ones were not downloaded. */
const precisionOf = (files: ReadonlyMap<string, string>): string => {
  const graphs = [...files.keys()].filter((name) => name.endsWith('.onnx'))
  if (graphs.some((name) => /model(_merged)?\.onnx$/.test(name))) return 'fp32'
  if (graphs.some((name) => name.endsWith('_quantized.onnx'))) return 'q8'
  return (['q4', 'fp16', 'int8'] as const).find((suffix) => graphs.some((name) => name.endsWith(`_${suffix}.onnx`))) ?? 'fp32'
}

// Where models lie is one setting of the whole library, read while a model is loaded: two models are never loaded at once.
let turn: Promise<unknown> = Promise.resolve()

/** The pipeline of a downloaded model. Failures: MODEL_NOT_INSTALLED, MODEL_NOT_DOWNLOADED, INSUFFICIENT_MEMORY. */
export async function openPipeline<P>(
  task: string,
  files: ReadonlyMap<string, string>,
): Promise<{ pipeline: P; library: TransformersLibrary }> {
  const config = files.get('config.json')
  if (!config) throw new Failure('MODEL_NOT_DOWNLOADED', 'the model has no config.json; download it again')
  const folder = dirname(config)
  const loaded = await loadTransformers()
  const mine = turn.then(async () => {
    loaded.env['localModelPath'] = dirname(folder)
    return await loaded.pipeline(task, basename(folder), {
      local_files_only: true,
      device: 'cpu',
      dtype: precisionOf(files),
      // A spinning pool takes the cores from the agent and from other hosts between two steps.
      session_options: { logSeverityLevel: 4, extra: { session: { intra_op: { allow_spinning: '0' } } } },
    })
  })
  turn = mine.catch(() => {})
  try {
    return { pipeline: (await mine) as P, library: loaded }
  } catch (cause) {
    const words =
      cause instanceof Error ? cause.message.split('\n')[0]!.slice(0, 200).replaceAll(folder, basename(folder)) : 'it does not load'
    if (/alloc|out of memory/i.test(words))
      throw new Failure('INSUFFICIENT_MEMORY', `the model does not fit into memory: ${words}`, { cause })
    throw new Failure('MODEL_NOT_DOWNLOADED', `the model is not complete or not what it should be; download it again: ${words}`, { cause })
  }
}
