// An example of each schema in the description: values that the schema permits, and that a reader recognises by the names of their fields. Pure.
import { z } from 'zod'

type Json = Readonly<Record<string, unknown>>
const Named = z.record(z.string(), z.unknown())
const object = (value: unknown): Json => Named.safeParse(value).data ?? {}
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Texts by the name of their field, for schemas that permit them. */
const TEXTS: Readonly<Record<string, string>> = {
  text: 'The train leaves at nine.',
  input: 'The train leaves at nine.',
  name: 'Morning news',
  title: 'Morning news',
  language: 'en',
  lang: 'en',
  target_lang: 'fr',
  voice: 'default',
  engine: 'kokoro',
  model: 'tts-1',
  url: 'https://example.com/film.mp4',
}
const MAX_DEPTH = 8

/** `at`: the schema of a reference. */
export function exampleOf(schema: Json, at: (reference: string) => Json, name = '', depth = 0): unknown {
  const inner = (of: unknown, of_name = name) => exampleOf(object(of), at, of_name, depth + 1)
  const { $ref: reference } = schema
  if (typeof reference === 'string') return depth > MAX_DEPTH ? {} : exampleOf(at(reference), at, name, depth + 1)
  for (const key of ['example', 'default', 'const']) if (schema[key] !== undefined) return schema[key]
  const [first] = [...list(schema['examples']), ...list(schema['enum'])]
  if (first !== undefined) return first
  const [choice] = [...list(schema['anyOf']), ...list(schema['oneOf'])]
  if (choice !== undefined) return inner(choice)
  const parts = list(schema['allOf'])
  if (parts.length > 0) return Object.assign({}, ...parts.map((part) => object(inner(part))))
  const type = list(schema['type'])[0] ?? schema['type']
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(object(schema['properties']))
          .filter(([key]) => depth === 0 || list(schema['required']).includes(key))
          .map(([key, value]) => [key, inner(value, key)]),
      )
    case 'array':
      return list(schema['prefixItems']).length > 0
        ? list(schema['prefixItems']).map((item) => inner(item))
        : depth > MAX_DEPTH ||
            schema['items'] === undefined ||
            'not' in object(schema['items']) ||
            (Number(schema['minItems'] ?? 0) === 0 && depth > 2)
          ? []
          : Array.from({ length: Number(schema['minItems'] ?? 0) || 1 }, () => inner(schema['items']))
    case 'integer':
    case 'number':
      return numberIn(schema)
    case 'boolean':
      return true
    case 'string':
      return textFor(schema, name)
    default:
      return null
  }
}

function numberIn(schema: Json): number {
  const least = Number(schema['minimum'] ?? schema['exclusiveMinimum'] ?? Number.NEGATIVE_INFINITY)
  const most = Number(schema['maximum'] ?? schema['exclusiveMaximum'] ?? Number.POSITIVE_INFINITY)
  return least < 1 && most >= 1 ? 1 : Math.max(Math.min(1, most), least)
}

function textFor(schema: Json, name: string): string {
  if (schema['contentMediaType'] !== undefined) return ''
  const text = TEXTS[name] ?? (name.endsWith('_id') || name === 'id' ? '5f3a9c21' : 'text')
  const pattern = schema['pattern']
  if (typeof pattern === 'string') return fitting(pattern, [text, ...COMMON])
  const most = Number(schema['maxLength'] ?? Number.POSITIVE_INFINITY)
  return text.slice(0, most).padEnd(Number(schema['minLength'] ?? 0), 'a')
}

/** Texts for fields with a pattern. */
const COMMON = [
  'a',
  '0',
  '5f3a9c21',
  'a.wav',
  '0'.repeat(64),
  'a'.repeat(16),
  '00:00',
  '127.0.0.1:7000',
  'en',
  '1.0.0',
  'req_0123456789abcdef01234567',
]
/** The first of the texts that the pattern permits. */
function fitting(pattern: string, texts: readonly string[]): string {
  const expression = new RegExp(pattern, 'u')
  return texts.find((text) => expression.test(text)) ?? ''
}
