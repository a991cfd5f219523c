// A fitted line in the words of the API: an entry of `fit_status` and of `sync_scores`. Pure.
import type { FitStrategy, FittedLine } from './fit.ts'

/** Ratios and seconds have three decimals. */
export type FitStatus =
  | { readonly status: 'fits'; readonly compression_applied: boolean }
  | { readonly status: 'audio_slowed'; readonly audio_rate: number }
  | { readonly status: 'fits' }
  | { readonly status: 'overflows'; readonly overflow_s: number }
  | { readonly status: 'video_stretched'; readonly stretch_ratio: number }
  | {
      readonly status: 'fits' | 'audio_slowed' | 'audio_stretched' | 'hybrid' | 'overflow_trimmed'
      readonly audio_rate?: number
      readonly video_ratio?: number
      readonly overflow_s?: number
    }

export const fitStatusOf = (line: FittedLine, strategy: FitStrategy): FitStatus => STATUS[strategy](line)
export const syncScoreOf = ({ score }: FittedLine): number => rounded(score)

const STATUS: Readonly<Record<FitStrategy, (line: FittedLine) => FitStatus>> = {
  strict_slot: ({ rate }) =>
    rounded(rate) < 1 ? { status: 'audio_slowed', audio_rate: rounded(rate) } : { status: 'fits', compression_applied: rounded(rate) > 1 },
  concise: ({ cutUs, pastUs }) => {
    const overflow = rounded((cutUs + pastUs) / 1e6)
    return overflow > 0 ? { status: 'overflows', overflow_s: overflow } : { status: 'fits' }
  },
  stretch_video: ({ videoRatio }) => ({ status: 'video_stretched', stretch_ratio: rounded(videoRatio) }),
  smart_fit: (line) => {
    const rate = rounded(line.rate)
    const video = rounded(line.videoRatio)
    const overflow = rounded(line.cutUs / 1e6)
    return {
      status: smartStatus(line, rate, video, overflow),
      ...(rate !== 1 && { audio_rate: rate }),
      ...(video > 1 && { video_ratio: video }),
      ...(overflow > 0 && { overflow_s: overflow }),
    }
  },
}

/** A line that fits without it is not `hybrid`, even when the picture is slower because of another line. */
function smartStatus({ naturalUs, roomUs, silence }: FittedLine, rate: number, video: number, overflow: number) {
  if (overflow > 0) return 'overflow_trimmed'
  if (silence) return 'fits'
  if (naturalUs > roomUs && video > 1) return 'hybrid'
  return rate > 1 ? 'audio_stretched' : rate < 1 ? 'audio_slowed' : 'fits'
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000
