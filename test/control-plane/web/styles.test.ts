// The style sheets of the pages work in both directions: they name sides by where lines begin and end.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const WEB = join(import.meta.dirname, '../../../control-plane/web')
const SHEETS = ['styles', 'sign-in'].flatMap((folder) =>
  readdirSync(join(WEB, folder)).flatMap((name) => (name.endsWith('.css') ? [`${folder}/${name}`] : [])),
)
/** Time goes from left to right everywhere. */
const AXES = /\.chart|\.playhead/

const DECLARATION = /(?<selector>[^{}]*)\{(?<body>[^{}]*)\}/g
const SIDE = /^(?:(?:margin|padding|border)-(?:left|right)|left|right)\b/
const BOX = /^(?:margin|padding|inset)$/

/** The values of a shorthand: blanks in parentheses do not count. */
function valuesOf(value: string): string[] {
  let depth = 0
  const marked = [...value].map((sign) => {
    if (sign === '(') depth++
    if (sign === ')') depth--
    return sign === ' ' && depth === 0 ? '\n' : sign
  })
  return marked.join('').split('\n').filter(Boolean)
}

/** Declarations that name left or right, or give the two sides different lengths. */
function physical(css: string): string[] {
  const text = css.replace(/\/\*[\s\S]*?\*\//g, '')
  return [...text.matchAll(DECLARATION)].flatMap(({ groups }) => {
    const selector = (groups?.['selector'] ?? '').trim()
    if (AXES.test(selector) || selector.includes(':dir(rtl)')) return []
    return (groups?.['body'] ?? '').split(';').flatMap((line) => {
      const [name = '', value = ''] = line.split(':', 2).map((part) => part.trim())
      const [, right, , left] = BOX.test(name) ? valuesOf(value) : []
      const isPhysical = SIDE.test(name) || (name === 'text-align' && /left|right/.test(value)) || (left !== undefined && left !== right)
      return isPhysical ? [`${selector} { ${name}: ${value} }`] : []
    })
  })
}

test('no style names left or right, but for time', () => {
  assert.deepEqual(
    SHEETS.flatMap((name) => physical(readFileSync(join(WEB, name), 'utf8')).map((found) => `${name}: ${found}`)),
    [],
  )
})

test('a physical side is found, a logical one and time are not', () => {
  const css =
    '.a { margin-left: 1px; text-align: right } .b { padding: 0 1px 0 calc(1px + 2px); left: 0 } @media x { .c { inset: 1px auto auto 0 } }'
  assert.equal(physical(css).length, 5)
  assert.deepEqual(physical('.a { margin-inline-start: 1px; padding: 0 1px; margin: 0 2px 1px 2px } .chart .value { left: 0 }'), [])
})
