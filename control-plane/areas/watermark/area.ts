import { defineArea } from '../define.ts'
import type { WatermarkApi } from './api.ts'
import { createDetection } from './detection.service.ts'
import { isMarked } from './mark-check.ts'
import { createMarked } from './marked.ts'
import { loadProvenance } from './provenance.ts'
import { watermarkRoutes } from './watermark.routes.ts'
import { createWatermark } from './watermark.service.ts'

export const watermarkArea = defineArea({
  name: 'watermark',
  needs: [],
  open: ({ choices, audit, intake, media, dataDir }) => {
    const { key, provenance } = loadProvenance(dataDir)
    const watermark = createWatermark({ settings: choices, audit, provenance })
    const hasMark: WatermarkApi['hasMark'] = (pcm, sampleRate, signal) => isMarked({ pcm: new Uint8Array(pcm), sampleRate, key }, signal)
    return {
      routes: watermarkRoutes(watermark, createDetection({ intake, key })),
      api: { markOf: watermark.markOf, hasMark, marked: createMarked({ media, markOf: watermark.markOf, hasMark }) },
    }
  },
})
