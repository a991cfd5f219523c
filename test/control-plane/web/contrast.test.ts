// The contrast of every pair of colours that the pages use, computed from the style sheet (WCAG 2.2), in both themes.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const STYLES = join(import.meta.dirname, '../../../control-plane/web/styles')
const SHEET = readFileSync(join(STYLES, 'tokens.css'), 'utf8')
const TOKENS = new Map(
  [...SHEET.matchAll(/--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(([, name, light, dark]) => [
    name!,
    { light: light!, dark: dark! },
  ]),
)

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
function contrast(one: string, other: string): number {
  const [bright, dim] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (bright! + 0.05) / (dim! + 0.05)
}

/** Colour, the grounds it is used on, and the contrast that it needs there. */
const PAIRS: readonly [string, readonly string[], number][] = [
  ['text', ['bg', 'surface', 'sunken', 'raised', 'hover', 'select'], 7],
  ['text-2', ['bg', 'surface', 'sunken', 'raised', 'hover'], 4.5],
  ['text-3', ['bg', 'surface', 'sunken', 'raised', 'select'], 4.5],
  ['on-ink', ['ink'], 7],
  ['on-accent', ['accent'], 4.5],
  ['on-bad', ['bad-solid'], 4.5],
  ['accent-text', ['bg', 'surface', 'raised', 'accent-tint'], 4.5],
  ['good', ['surface', 'good-tint'], 4.5],
  ['warn', ['surface', 'warn-tint'], 4.5],
  ['bad', ['surface', 'bad-tint'], 4.5],
  ['control-line', ['surface', 'sunken'], 3],
  ['wave', ['surface', 'sunken'], 3],
  ['focus', ['bg', 'surface', 'sunken'], 3],
  ['good-dot', ['surface'], 3],
  ['warn-dot', ['surface'], 3],
  ['bad-dot', ['surface'], 3],
  ...Array.from({ length: 8 }, (_, index): [string, string[], number] => [`kind-${index + 1}`, [`kind-${index + 1}-tint`], 4.5]),
]

test('every pair of colours has the contrast that it needs', () => {
  const tooLow = PAIRS.flatMap(([colour, grounds, needed]) =>
    grounds.flatMap((ground) =>
      (['light', 'dark'] as const).flatMap((theme) => {
        const [front, back] = [TOKENS.get(colour)?.[theme], TOKENS.get(ground)?.[theme]]
        assert.ok(front && back, `${colour} on ${ground} is not in the style sheet`)
        const measured = contrast(front, back)
        // The figures of the design are rounded to one digit.
        return measured + 0.05 >= needed ? [] : [`${colour} on ${ground}, ${theme}: ${measured.toFixed(2)} of ${needed}`]
      }),
    ),
  )
  assert.deepEqual(tooLow, [])
})

test('the contrast of known pairs is computed', () => {
  assert.equal(contrast('#000000', '#ffffff').toFixed(1), '21.0')
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
})

test('every style sheet closes its blocks, so that no rule is lost in another one', () => {
  for (const name of readdirSync(STYLES)) {
    let depth = 0
    for (const [bracket] of readFileSync(join(STYLES, name), 'utf8').matchAll(/[{}]/g)) {
      depth += bracket === '{' ? 1 : -1
      assert.ok(depth >= 0, name)
    }
    assert.equal(depth, 0, name)
  }
})
