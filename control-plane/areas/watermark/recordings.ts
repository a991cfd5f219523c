// Recordings of engines that the studio keeps without a mark, because engines learn a mark that is in a reference. They are marked on their
// way out.
import type { Media } from '../../media/encode.ts'
import { REFERENCE } from '../../media/recording.ts'
import type { WatermarkApi } from './api.ts'

type Deps = { readonly media: Pick<Media, 'encode'> } & Pick<WatermarkApi, 'markOf' | 'hasMark'>

/** Of a recording, to look for a mark. */
const SEARCHED_SECONDS = 8
const { sampleRate } = REFERENCE

export function createMarkedRecordings({ media, markOf, hasMark }: Deps): WatermarkApi['marked'] {
  return async (pcm, digest, signal) => {
    const isDone = await hasMark(pcm.subarray(0, 2 * SEARCHED_SECONDS * sampleRate), sampleRate, signal)
    const source = (async function* () {
      yield pcm
    })()
    const mark = isDone ? null : markOf({ engine: 'voice', params: digest })
    const { body } = await media.encode({ format: 'wav', sampleRate, source, mark, effects: null, master: false, signal })
    const pieces: Uint8Array[] = []
    for await (const piece of body) pieces.push(piece)
    return Buffer.concat(pieces)
  }
}
