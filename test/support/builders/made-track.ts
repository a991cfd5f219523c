import type { MadeTrack } from '#control-plane/features/dubbing/make/generate/assembling.ts'

/** The result of a generation without lines. */
export const madeTrack = (fields: Partial<MadeTrack> = {}): MadeTrack => ({
  ...{ segments_processed: 0, language_code: 'es', tracks: [], sync_scores: [], fit_status: [], timing_strategy: 'concise' },
  ...{ seg_hashes: {}, seg_num_step: {} },
  ...fields,
})
