// Describes the pictures of a line: how bright, in which mood, and how busy. Pure.

import type { DubLine } from '#control-plane/features/dubbing/store/line.ts'
import type { FramePair } from '#control-plane/media/film/picture/frames.ts'
import { FRAME_HEIGHT, FRAME_WIDTH } from '#control-plane/media/film/picture/frames.ts'

export const BRIGHTNESS = ['dark', 'normal', 'bright', 'unknown'] as const
export const MOODS = ['calm', 'neutral', 'vivid', 'unknown'] as const
export const COMPLEXITY = ['simple', 'detailed', 'action', 'unknown'] as const
export type PictureLook = {
  readonly brightness: (typeof BRIGHTNESS)[number]
  readonly mood: (typeof MOODS)[number]
  readonly complexity: (typeof COMPLEXITY)[number]
}
export type PictureFigures = {
  /** Mean luma, 0 to 1. */
  readonly luma: number
  /** Mean distance between the strongest and the weakest colour, 0 to 1. */
  readonly colour: number
  /** Mean step of luma between neighbours in a row, 0 to 1. */
  readonly detail: number
  /** Mean change of luma within the pair, 0 to 1; 0 without a second picture. */
  readonly movement: number
}

export const UNKNOWN_LOOK: PictureLook = { brightness: 'unknown', mood: 'unknown', complexity: 'unknown' }
const [DARK, BRIGHT] = [0.3, 0.68]
const [PALE, COLOURFUL] = [0.12, 0.35]
const MOVING = 0.08
const DETAILED = 0.03

/** At most `most` times for the lines, each in the middle of its line; lines are left out evenly when there are more. */
export function sampleTimes(lines: readonly DubLine[], most: number): { readonly index: number; readonly timeUs: number }[] {
  const count = Math.min(most, lines.length)
  return Array.from({ length: count }, (_, number) => {
    const index = Math.floor((number * lines.length) / count)
    const { startUs, endUs } = lines[index]!
    return { index, timeUs: Math.floor((startUs + endUs) / 2) }
  })
}

export function figuresOf({ first, second }: FramePair): PictureFigures {
  let [luma, colour, detail, movement] = [0, 0, 0, 0]
  const pixels = FRAME_WIDTH * FRAME_HEIGHT
  for (let pixel = 0; pixel < pixels; pixel++) {
    const at = pixel * 3
    const [red, green, blue] = [first[at]!, first[at + 1]!, first[at + 2]!]
    const own = lumaAt(first, at)
    luma += own
    colour += Math.max(red, green, blue) - Math.min(red, green, blue)
    if (pixel % FRAME_WIDTH !== 0) detail += Math.abs(own - lumaAt(first, at - 3))
    if (second) movement += Math.abs(own - lumaAt(second, at))
  }
  const mean = (sum: number) => sum / pixels / 255
  return { luma: mean(luma), colour: mean(colour), detail: mean(detail), movement: mean(movement) }
}

export const lookOf = ({ luma, colour, detail, movement }: PictureFigures): PictureLook => ({
  brightness: luma < DARK ? 'dark' : luma > BRIGHT ? 'bright' : 'normal',
  mood: colour < PALE ? 'calm' : colour > COLOURFUL ? 'vivid' : 'neutral',
  complexity: movement > MOVING ? 'action' : detail > DETAILED ? 'detailed' : 'simple',
})

/** The look of the means; unknown without figures. */
export function meanLook(all: readonly PictureFigures[]): PictureLook {
  if (all.length === 0) return UNKNOWN_LOOK
  const mean = (field: keyof PictureFigures) => all.reduce((sum, one) => sum + one[field], 0) / all.length
  return lookOf({ luma: mean('luma'), colour: mean('colour'), detail: mean('detail'), movement: mean('movement') })
}

/** Weights of ITU-R BT.709. */
const lumaAt = (pixels: Uint8Array, at: number): number => 0.2126 * pixels[at]! + 0.7152 * pixels[at + 1]! + 0.0722 * pixels[at + 2]!
