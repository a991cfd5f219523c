import type { Watermark } from './watermark.service.ts'

export type WatermarkApi = Pick<Watermark, 'markOf'>
export type MarkOf = WatermarkApi['markOf']
