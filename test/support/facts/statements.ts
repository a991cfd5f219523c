// Tables of what the specification says about routes, with the test of each statement. A folder `facts` of test/scenarios has a table
// (statements.ts) and the tests of statements that no other test holds (conformance.test.ts).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'

const ROOT = join(import.meta.dirname, '../../..')

export type FactStatement = {
  readonly says: string
  /** Null: the conformance test beside the table has a test of this name. */
  readonly file: string | null
  /** Name of the test. */
  readonly test: string
}

/** By the method and path of the route, or the path of a socket. */
export type FactTable = Readonly<Record<string, readonly FactStatement[]>>

/** Statements that a test of another file holds. */
export const by = (file: string, test: string, ...says: string[]): FactStatement[] => says.map((one) => ({ says: one, file, test }))

/** Statements that a test of the conformance test holds. */
export const here = (test: string, ...says: string[]): FactStatement[] => says.map((one) => ({ says: one, file: null, test }))

/**
 * Every one of `routes` has statements, every route of the table is served, and every named test exists: in its file, or in `home`, the
 * conformance test.
 */
export function requireStatements(table: FactTable, routes: readonly string[], home: string): void {
  for (const route of routes) assert.ok((table[route]?.length ?? 0) > 0, `${route} has no statements`)
  const served = new Set(CONTRACTS.map(({ method, path }) => `${method} ${path}`))
  for (const route of Object.keys(table)) assert.ok(route.startsWith('/ws/') || served.has(route), `${route} is not served`)
  const texts = new Map<string, string>()
  for (const { file, test } of Object.values(table).flat()) {
    const path = file === null ? home : join(ROOT, file)
    if (!texts.has(path)) texts.set(path, readFileSync(path, 'utf8'))
    assert.ok(texts.get(path)!.includes(`'${test}'`), `${file ?? 'here'}: ${test}`)
  }
}

/** The routes of a section of the specification, for example `4.9`, as method and path. */
export function specifiedRoutes(section: string): string[] {
  const routes: { method: string; path: string; section: string }[] = JSON.parse(
    readFileSync(join(ROOT, 'test/architecture/routes.json'), 'utf8'),
  )
  return routes.filter((route) => route.section === section).map(({ method, path }) => `${method} ${path}`)
}
