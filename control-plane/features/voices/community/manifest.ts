// A manifest of a community source: text to valid items, and what was dropped with the reason. Pure. Items are copied field by field, so
// nothing that a source invents reaches the rest of the program.
import { z } from 'zod'
import { cleanLine, cleanLines } from '#shared/protocol/fields/clean-text.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import { instructOf, noAttributes } from '#shared/voices/recipe.ts'
import { AUTO, CATEGORIES, VOCABULARY, type VoiceCategory, type VoiceChoices } from '#shared/voices/words.ts'
import { onHosts } from './fetching/address.ts'
import { type CommunityItem, type CommunityPack, type ItemFacets, UseCaseId } from './manifest.schema.ts'

export type Dropped = { /** Position in the list of the source. */ readonly at: number; readonly reason: string }
export type SourceContent = { readonly items: readonly CommunityItem[]; readonly packs: readonly CommunityPack[] }
export type CheckedManifest = SourceContent & {
  /** At most 100, and how many there were. */
  readonly dropped: readonly Dropped[]
  readonly droppedCount: number
}

export const MANIFEST_BYTES = 4 * 1024 * 1024
/** Items and packs beyond these are dropped unread: to check 100,000 would stop every other request for a while. */
export const MAX_ITEMS = 5_000
const MAX_PACKS = 200
const MAX_REPORTED = 100

const label = (chars: number) =>
  z
    .string()
    .max(chars * 4)
    .refine((text) => cleanLine(text) === text, 'has characters that are not allowed')
    .transform((text) => composed(text).trim())
    .refine((text) => [...text].length <= chars, `is longer than ${chars} characters`)
const long = (chars: number) =>
  z
    .string()
    .max(chars)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'has characters that are not allowed')
    .overwrite(cleanLines)
const id = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/)
const word = label(64)
const facets = z
  .object({ gender: word, age: word, pitch: word, accent: word.nullable(), whisper: z.boolean(), lang: word })
  .partial()
  .catch({})
const common = {
  id,
  name: label(80).refine((text) => text !== '', 'is blank'),
  use_case: UseCaseId,
  language: word.default('English'),
  facets: facets.default({}),
  icon: word.catch(''),
  source: word.catch(''),
  license: word.catch(''),
}
const Preset = z.object({ ...common, type: z.literal('preset'), instruct: label(400), sample_script: long(2000).default('') })
const voiceOn = (hosts: readonly string[]) =>
  z.object({
    ...common,
    type: z.literal('voice'),
    audio: z.object({
      url: z
        .string()
        .max(2048)
        .refine((url) => onHosts(url, hosts) !== null, 'is no https address of an allowed host'),
      sha256: z
        .string()
        .regex(/^[0-9A-Fa-f]{64}$/)
        .transform((hex) => hex.toLowerCase())
        .nullish()
        .transform((hex) => hex ?? null),
      ref_text: long(4000).default(''),
    }),
  })
const Pack = z.object({
  id,
  name: label(80),
  description: label(400).catch(''),
  icon: word.catch(''),
  items: z.array(id).max(500).catch([]),
})
const Top = z.object({ items: z.array(z.unknown()).default([]), packs: z.array(z.unknown()).default([]) })

/** Null for a text that is no manifest at all. `hosts`: where voices may be. */
export function parseManifest(text: string, source: string, hosts: readonly string[]): CheckedManifest | null {
  const top = parsed(text)
  if (top === null) return null
  const Item = z.discriminatedUnion('type', [Preset, voiceOn(hosts)])
  const items = new Map<string, CommunityItem>()
  const dropped: Dropped[] = []
  let droppedCount = Math.max(0, top.items.length - MAX_ITEMS)
  const drop = (at: number, reason: string) => {
    droppedCount++
    if (dropped.length < MAX_REPORTED) dropped.push({ at, reason })
  }
  for (const [at, raw] of top.items.slice(0, MAX_ITEMS).entries()) {
    const { success, data, error } = Item.safeParse(raw)
    if (!success) drop(at, reasonOf(error))
    else if (items.has(data.id)) drop(at, 'The id is used by an earlier item.')
    else {
      const own = { is_community: data.source !== 'starter', preview_url: `/community/items/${data.id}/preview`, _source_repo: source }
      if (data.type === 'voice') items.set(data.id, { ...data, ...own, pinned: data.audio.sha256 === null ? null : 'source' })
      else {
        const attrs = tagsOf(data.instruct)
        if (attrs === null) drop(at, 'instruct has an unknown word, two words of one category, or an accent and a dialect.')
        else items.set(data.id, { ...data, ...own, instruct: instructOf(attrs), attrs, facets: facetsOf(attrs, data.language) })
      }
    }
  }
  if (top.items.length > MAX_ITEMS) dropped.push({ at: MAX_ITEMS, reason: `Only the first ${MAX_ITEMS} items are read.` })
  const packs = top.packs.slice(0, MAX_PACKS).flatMap((raw) => {
    const pack = Pack.safeParse(raw)
    return pack.success ? [{ ...pack.data, _source_repo: source }] : []
  })
  return { items: [...items.values()], packs, dropped, droppedCount }
}

function parsed(text: string): z.output<typeof Top> | null {
  try {
    return Top.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null // no JSON
  }
}

function reasonOf({ issues }: z.ZodError): string {
  const [issue] = issues
  const path = issue?.path.join('.') ?? ''
  return path === '' ? 'It is no item.' : `${path}: ${issue?.message}.`
}

const CATEGORY_OF = new Map<string, { readonly category: VoiceCategory; readonly token: string }>(
  CATEGORIES.flatMap((category) =>
    VOCABULARY[category].flatMap(({ token, chinese }) =>
      [token, chinese].flatMap((tag) => (tag === null ? [] : [[tag, { category, token }] as const])),
    ),
  ),
)

/** The choices of a list of tags. Null for an unknown tag, two of one category, an accent with a dialect, and none. */
function tagsOf(instruct: string): VoiceChoices | null {
  const chosen: Record<VoiceCategory, string> = { ...noAttributes() }
  for (const part of instruct.toLowerCase().split(/[,，]/)) {
    const known = CATEGORY_OF.get(part.trim())
    if (known === undefined || chosen[known.category] !== AUTO) return null
    chosen[known.category] = known.token
  }
  return chosen.EnglishAccent !== AUTO && chosen.ChineseDialect !== AUTO ? null : chosen
}

function facetsOf(attrs: VoiceChoices, language: string): z.output<typeof ItemFacets> {
  return {
    gender: attrs.Gender,
    age: attrs.Age,
    pitch: attrs.Pitch,
    accent: attrs.EnglishAccent === AUTO ? null : attrs.EnglishAccent,
    whisper: attrs.Style !== AUTO,
    lang: language,
  }
}
