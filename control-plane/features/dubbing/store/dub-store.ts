// Everything that is stored about dubs, except for the files themselves.
import type { Database } from '#control-plane/store/database.ts'
import { type CaptionRows, createCaptionRows } from './caption.store.ts'
import { createDubRows, type DubRows } from './dub.store.ts'
import { createSegmentRows, type SegmentRows } from './segment.store.ts'
import { createTrackRows, type TrackRows } from './track.store.ts'

export type DubStore = {
  readonly dubs: DubRows
  readonly segments: SegmentRows
  readonly tracks: TrackRows
  readonly captions: CaptionRows
}

export const createDubStore = ({ db }: { readonly db: Database }): DubStore => ({
  dubs: createDubRows({ db }),
  segments: createSegmentRows({ db }),
  tracks: createTrackRows({ db }),
  captions: createCaptionRows({ db }),
})
