// Subtitles as an ASS file that is drawn into a picture: white letters with a dark border at the bottom. Pure.
import type { WrittenCue } from './write.ts'

export type AssPicture = { readonly width: number; readonly height: number }

/** Of the height of the picture. */
const [LETTERS, BORDER, MARGIN] = [0.058, 0.003, 0.05]
const LEAST_LETTERS = 8

/** The file for a picture of this size in pixels. Long lines are wrapped when they are drawn. */
export function writeAss(cues: readonly WrittenCue[], { width, height }: AssPicture): string {
  const size = Math.max(LEAST_LETTERS, Math.round(Math.min(height, width) * LETTERS))
  const border = Math.max(1, Math.round(height * BORDER))
  const [side, bottom] = [Math.round(width * MARGIN), Math.round(height * MARGIN)]
  const style = `Style: Default,Noto Sans,${size},&H00FFFFFF,&H00FFFFFF,&H00101010,&H80000000,0,0,0,0,100,100,0,0,1,${border},0,2,${side},${side},${bottom},1`
  return `${[
    '[Script Info]',
    'ScriptType: v4.00+',
    'WrapStyle: 0',
    'ScaledBorderAndShadow: yes',
    `PlayResX: ${width}`,
    `PlayResY: ${height}`,
    '',
    '[V4+ Styles]',
    'Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding',
    style,
    '',
    '[Events]',
    'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
    ...cues.filter(({ text }) => text.trim() !== '').map(eventOf),
  ].join('\n')}\n`
}

function eventOf({ startUs, endUs, text, original }: WrittenCue): string {
  const below = original ? `\\N{\\i1}${plain(original)}{\\i0}` : ''
  return `Dialogue: 0,${timeOf(startUs)},${timeOf(Math.max(endUs, startUs + 10_000))},Default,,0,0,0,,${plain(text)}${below}`
}

/** Braces and backslashes begin commands, so other signs stand for them. */
const plain = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
    .replaceAll('\\', '⧵')
    .replaceAll('{', '(')
    .replaceAll('}', ')')
    .replaceAll('\n', '\\N')

function timeOf(us: number): string {
  const hundredths = Math.max(0, Math.round(us / 10_000))
  const part = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${Math.floor(hundredths / 360_000)}:${part((hundredths / 6000) % 60)}:${part((hundredths / 100) % 60)}.${part(hundredths % 100)}`
}
