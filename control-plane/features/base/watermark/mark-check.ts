// Searches recordings for the mark of this studio, in a thread: the search takes 20 ms for each second of sound.
import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { createReusedThreads } from '#control-plane/media/threads/reused-threads.ts'
import { detectMark } from '#shared/audio/mark/mark-detect.ts'
import { fromS16 } from '#shared/audio/pcm.ts'
import type { Clock } from '#shared/runtime/clock.ts'

type Search = { readonly pcm: Uint8Array; readonly sampleRate: number; readonly key: Uint8Array }

/** True if the mark of `key` can be detected in s16le mono. Throws the reason of the signal, and errors of the thread. */
export function createMarkCheck(clock: Clock): (search: Search, signal: AbortSignal) => Promise<boolean> {
  const threads = createReusedThreads(new URL('./mark-check.ts', import.meta.url), 'mark-check', clock)
  return async (search, signal) => {
    signal.throwIfAborted()
    const thread = threads.take()
    let isIdle = false
    try {
      thread.postMessage(search)
      const [found] = (await once(thread, 'message', { signal })) as [boolean]
      isIdle = true
      return found
    } finally {
      if (isIdle) threads.keep(thread)
      else await thread.terminate()
    }
  }
}

if (parentPort) {
  const port = parentPort
  port.on('message', ({ pcm, sampleRate, key }: Search) => port.postMessage(detectMark(fromS16(pcm), sampleRate, [key]).level !== 'none'))
}
