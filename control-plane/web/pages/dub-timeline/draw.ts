// Draws the timeline: ruler, sound of the film, and the lines of each speaker as blocks.
import { themeColor } from '#control-plane/web/look/theme.ts'
import type { Line } from '../dub/lines.ts'
import { moment } from '../dub/lines.ts'
import type { View } from './view.ts'
import { marksOf, RULER, TRACK, visible, WAVE, xOf } from './view.ts'

/** peaks: 0 to 255, of equal parts from `from` to `to`. */
export type Peaks = { from: number; to: number; peaks: readonly number[] }
export type Colours = ReturnType<typeof coloursOf>

const BAR = 2.5
const GAP = 1.5
const TINTS = 8

/** Colours of the theme that is on now. */
export const coloursOf = () => ({
  line: themeColor('--line'),
  text: themeColor('--text-3'),
  wave: themeColor('--wave'),
  accent: themeColor('--accent'),
  warn: themeColor('--warn-dot'),
  kinds: Array.from({ length: TINTS }, (_, at) => [themeColor(`--kind-${at + 1}`), themeColor(`--kind-${at + 1}-tint`)]),
  font: `500 11px ${getComputedStyle(document.body).fontFamily}`,
})

function peakOf({ peaks, from: first, to: last }: Peaks, from: number, to: number) {
  const each = (last - first) / peaks.length
  let most = 0
  for (let at = Math.max(0, Math.floor((from - first) / each)); at < Math.min(peaks.length, Math.ceil((to - first) / each)); at++)
    most = Math.max(most, peaks[at] ?? 0)
  return most / 255
}

function wave(
  pen: CanvasRenderingContext2D,
  view: View,
  peaks: Peaks,
  { left, right, top, height, colour }: { left: number; right: number; top: number; height: number; colour: string },
) {
  pen.fillStyle = colour
  const step = BAR + GAP
  const perPixel = view.span / view.width
  // Bars stand at fixed moments, so that they do not flicker while the view moves.
  for (let bar = Math.ceil((view.from / perPixel + Math.max(0, left)) / step); ; bar++) {
    const x = bar * step - view.from / perPixel
    if (x + BAR > Math.min(view.width, right)) return
    const from = bar * step * perPixel
    const tall = Math.max(1.5, Math.sqrt(peakOf(peaks, from, from + step * perPixel)) * height)
    pen.fillRect(x, top + (height - tall) / 2, BAR, tall)
  }
}

export function draw(
  canvas: HTMLCanvasElement,
  {
    view,
    lines,
    speakers,
    tintOf,
    selected,
    peaks,
    colours,
  }: {
    view: View
    lines: readonly Line[]
    speakers: readonly string[]
    tintOf: (speaker: string) => number
    selected: string
    peaks: Peaks | null
    colours: Colours
  },
) {
  const pen = canvas.getContext('2d')
  if (!pen || view.width === 0) return
  const height = RULER + WAVE + speakers.length * TRACK
  const scale = devicePixelRatio
  if (canvas.width !== Math.round(view.width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(view.width * scale)
    canvas.height = Math.round(height * scale)
  }
  pen.setTransform(scale, 0, 0, scale, 0, 0)
  pen.clearRect(0, 0, view.width, height)
  pen.font = colours.font
  pen.textBaseline = 'middle'
  for (const seconds of marksOf(view)) {
    const x = xOf(view, seconds)
    pen.fillStyle = colours.line
    pen.fillRect(x, RULER - 6, 1, 6)
    pen.fillStyle = colours.text
    pen.fillText(moment(seconds).replace(/\.0$/, ''), x + 5, RULER / 2)
  }
  pen.fillStyle = colours.line
  for (let row = 0; row <= speakers.length; row++) pen.fillRect(0, RULER + WAVE + row * TRACK - 1, view.width, 1)
  pen.fillRect(0, RULER - 1, view.width, 1)
  if (peaks) wave(pen, view, peaks, { left: 0, right: view.width, top: RULER + 4, height: WAVE - 9, colour: colours.wave })
  for (const line of visible(lines, view)) {
    const row = speakers.indexOf(line.speaker)
    if (row < 0) continue
    const [colour = '', tint = ''] = colours.kinds[tintOf(line.speaker) - 1] ?? []
    const [left, right] = [xOf(view, line.start), xOf(view, line.end)]
    const top = RULER + WAVE + row * TRACK + 3
    const isDone = line.state === 'spoken'
    pen.globalAlpha = isDone || line.state === 'changed' || line.id === selected ? 1 : 0.6
    pen.beginPath()
    pen.roundRect(left + 0.5, top + 0.5, Math.max(2, right - left - 1), TRACK - 8, 4)
    pen.fillStyle = tint
    pen.fill()
    pen.lineWidth = line.id === selected ? 2 : 1
    pen.strokeStyle = line.id === selected ? colours.accent : colour
    pen.stroke()
    if (peaks && right - left > 12) wave(pen, view, peaks, { left: left + 4, right: right - 4, top: top + 3, height: TRACK - 14, colour })
    pen.globalAlpha = 1
  }
}
