import { defineArea } from '#control-plane/kernel/define.ts'
import type { WatermarkApi } from './api.ts'
import { createDetection } from './detection.service.ts'
import { createMarkCheck } from './mark-check.ts'
import { createMarked } from './marked.ts'
import { loadProvenance } from './provenance.ts'
import { watermarkRoutes } from './watermark.routes.ts'
import { createWatermark } from './watermark.service.ts'

export const watermarkArea = defineArea({
  name: 'watermark',
  needs: [],
  open: ({ choices, audit, intake, media, clock, dataDir }) => {
    const { key, provenance } = loadProvenance(dataDir)
    const watermark = createWatermark({ settings: choices, audit, provenance })
    const check = createMarkCheck(clock)
    const hasMark: WatermarkApi['hasMark'] = (pcm, sampleRate, signal) => check({ pcm: new Uint8Array(pcm), sampleRate, key }, signal)
    return {
      routes: watermarkRoutes(watermark, createDetection({ intake, key })),
      api: { markOf: watermark.markOf, hasMark, marked: createMarked({ media, markOf: watermark.markOf, hasMark }) },
    }
  },
})
