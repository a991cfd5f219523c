// Requests with values that no client of a dub would send: ids, queries and bodies for every route of a list.
import { form } from '#test/support/world/http.ts'
import type { World } from '#test/support/world/world.ts'

const LONG = 'x'.repeat(10_000)
const PARTS = [
  '..',
  '%2e%2e%2f%2e%2e%2fetc',
  '%00',
  '%E0%A4%A',
  '%F0%9F%8E%AC',
  '-1',
  '1e999',
  'x'.repeat(300),
  "'%20or%201=1--",
  '__proto__',
]
const QUERIES = [
  'lang=',
  'lang=%00',
  'lang=a&lang=b',
  `lang=${LONG.slice(0, 2_000)}`,
  'limit=-1&status=%00',
  'num_speakers=NaN',
  'drift_threshold=Infinity',
]
const VALUES: readonly unknown[] = [null, 7, -1, 1e308, '', '\u0000', LONG, [], {}, [null], [[]], { a: { a: {} } }, true, '\ud800']
const FIELDS =
  'segments text texts target_lang source_lang url job_id quality provider glossary dialect language segment_ids regen_only fit_options source target note max_terms videos drift_threshold timing_strategy cookie_file sub_langs'.split(
    ' ',
  )

/** `POST /a/{b}` as a path with `part` in place of each parameter. */
const pathOf = (route: string, part: string): string => route.replace(/^\S+ /, '').replace(/\{\w+\}/g, part)

export type HostileAnswer = { readonly request: string; readonly status: number; readonly text: string }

/** Sends them one after another. `known`: the id of a dub that is there. */
export async function* hostileAnswers(world: World, routes: readonly string[], known: string): AsyncGenerator<HostileAnswer> {
  const send = async (route: string, part: string, query: string, body?: unknown): Promise<HostileAnswer> => {
    const method = route.split(' ', 1)[0]!
    const path = `${pathOf(route, part)}${query === '' ? '' : `?${query}`}`
    const { status, body: bytes } = await world.send(method, path, body)
    return {
      request: `${method} ${path.slice(0, 200)} ${JSON.stringify(body)?.slice(0, 100) ?? ''}`,
      status,
      text: bytes.toString().slice(0, 500),
    }
  }
  for (const route of routes) {
    for (const part of route.includes('{') ? PARTS : []) yield await send(route, part, '')
    for (const query of QUERIES) yield await send(route, route.startsWith('GET') ? known : 'unknown', query)
    if (!/^(POST|PUT)/.test(route)) continue
    for (const value of VALUES) {
      yield await send(route, known, '', value)
      yield await send(route, known, '', Object.fromEntries(FIELDS.map((field) => [field, value])))
    }
    // With one wrong value in a body that is right elsewhere.
    for (const value of VALUES) {
      const line = { id: value, start: value, end: value, text: value, gain: value, speed: value }
      yield await send(route, known, '', { segments: [line], target_lang: 'de', text: 'a', source: 'a', target: 'b' })
    }
    yield await send(route, known, '', form({ later: 1 }))
    yield await send(
      route,
      known,
      '',
      form({ file: Buffer.from([0xff, 0xfe, 0]), video: Buffer.alloc(0), job_id: '../x', langs: ',,', input_type: '\u0000' }),
    )
  }
}
