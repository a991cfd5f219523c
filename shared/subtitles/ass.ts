// Writes subtitles that are drawn into the picture (Advanced SubStation Alpha). Pure.

/** `originals`: the lines of a second text, below the others in italics. Times are microseconds. */
export type DrawnCue = {
  readonly startUs: number
  readonly endUs: number
  readonly lines: readonly string[]
  readonly originals?: readonly string[]
}
/** The size of the result in pixels, and the language of the text, for its font. */
export type DrawnPicture = { readonly width: number; readonly height: number; readonly language: string | null }

const FONTS: Readonly<Record<string, string>> = {
  ...{ zh: 'Noto Sans CJK SC', ja: 'Noto Sans CJK JP', ko: 'Noto Sans CJK KR', th: 'Noto Sans Thai' },
  ...{ ar: 'Noto Sans Arabic', fa: 'Noto Sans Arabic', ur: 'Noto Sans Arabic', he: 'Noto Sans Hebrew', hi: 'Noto Sans Devanagari' },
}
const USUAL_FONT = 'Noto Sans'
/** Shares of the shorter side, so that upright films have letters of a readable size. */
const LETTERS = 0.06
const OUTLINE = 0.004
const MARGIN = 0.05

/** Writes the cues. Nothing of a text is read as a command: braces and backslashes are shown as they are. */
export function writeAss(cues: readonly DrawnCue[], { width, height, language }: DrawnPicture): string {
  const side = Math.min(width, height)
  const short = language?.toLowerCase().split(/[-_]/, 1)[0] ?? ''
  const font = Object.hasOwn(FONTS, short) ? FONTS[short]! : USUAL_FONT
  const [size, margin] = [Math.max(8, Math.round(side * LETTERS)), Math.round(side * MARGIN)]
  const events = cues.flatMap(({ startUs, endUs, lines, originals }) => {
    const upper = lines.map(escaped).filter((line) => line !== '')
    const lower = (originals ?? [])
      .map(escaped)
      .filter((line) => line !== '')
      .map((line) => `{\\i1}${line}{\\i0}`)
    const start = Math.round(Math.max(0, startUs) / 10_000)
    const end = Math.max(start + 1, Math.round(endUs / 10_000))
    const text = [...upper, ...lower].join('\\N')
    return text === '' ? [] : [`Dialogue: 0,${clock(start)},${clock(end)},Dub,,0,0,0,,${text}`]
  })
  return [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${width}`,
    `PlayResY: ${height}`,
    // Lines are broken already.
    'WrapStyle: 2',
    'ScaledBorderAndShadow: yes',
    '',
    '[V4+ Styles]',
    'Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding',
    // Encoding -1: the direction of a line follows its first letter.
    `Style: Dub,${font},${size},&H00FFFFFF,&H00FFFFFF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,${(side * OUTLINE).toFixed(1)},0,2,${margin},${margin},${margin},-1`,
    '',
    '[Events]',
    'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
    ...events,
    '',
  ].join('\n')
}

const WORD_JOINER = '\u2060'

/**
 * A backslash cannot be escaped: an invisible character after it separates it from the letter with which it would be a command. Control
 * characters and line breaks would end the event.
 */
const escaped = (line: string): string =>
  line
    .replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]/g, ' ')
    .replaceAll('\\', `\\${WORD_JOINER}`)
    .replaceAll('{', '\\{')
    .replaceAll('}', '\\}')
    .trim()

/** `hundredths` of a second. */
function clock(hundredths: number): string {
  const part = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${Math.floor(hundredths / 360_000)}:${part((hundredths / 6_000) % 60)}:${part((hundredths / 100) % 60)}.${part(hundredths % 100)}`
}
