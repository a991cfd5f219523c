// Searches a recording for the mark of this studio, in a thread: the search takes 20 ms for each second of sound.
import { once } from 'node:events'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { detectMark } from '#shared/audio/mark/mark-detect.ts'
import { fromS16 } from '#shared/audio/pcm.ts'

type Search = { readonly pcm: Uint8Array; readonly sampleRate: number; readonly key: Uint8Array }

/** Whether the mark of `key` can be detected in s16le mono. Throws the reason of the signal, and errors of the thread. */
export async function isMarked(search: Search, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted()
  const thread = new Worker(new URL('./mark-check.ts', import.meta.url), { workerData: search })
  try {
    const [found] = (await once(thread, 'message', { signal })) as [boolean]
    return found
  } finally {
    await thread.terminate()
  }
}

if (parentPort) {
  const { pcm, sampleRate, key } = workerData as Search
  parentPort.postMessage(detectMark(fromS16(pcm), sampleRate, [key]).level !== 'none')
}
