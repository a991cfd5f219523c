import { defineArea } from '../define.ts'
import type { WatermarkApi } from './api.ts'
import { createDetection } from './detection.service.ts'
import { isMarked } from './mark-check.ts'
import { loadProvenance } from './provenance.ts'
import { createMarkedRecordings } from './recordings.ts'
import { watermarkRoutes } from './watermark.routes.ts'
import { createWatermark } from './watermark.service.ts'

export const watermarkArea = defineArea({
  name: 'watermark',
  needs: [],
  open: ({ choices, audit, intake, media, dataDir }) => {
    const { key, provenance } = loadProvenance(dataDir)
    const watermark = createWatermark({ settings: choices, audit, provenance })
    const { markOf } = watermark
    const hasMark: WatermarkApi['hasMark'] = (pcm, sampleRate, signal) => isMarked({ pcm: new Uint8Array(pcm), sampleRate, key }, signal)
    return {
      routes: watermarkRoutes(watermark, createDetection({ intake, key })),
      api: { markOf, hasMark, marked: createMarkedRecordings({ media, markOf, hasMark }) },
    }
  },
})
