// The files of this room: dictionaries, the tagger and the table of special cases. They are read when first needed.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { openJsonTable } from './json-table.ts'
import { createTagger, type Tagger } from './sentence/tags.ts'
import type { SpecialCases } from './sentence/tokens.ts'
import { createLexicon, type Lexicon } from './words/lexicon.ts'

/** American and British English, by the languages of voices. */
export type Variety = 'en-us' | 'en-gb'
export type EnglishAssets = { readonly lexicon: Lexicon; readonly tag: Tagger; readonly special: SpecialCases }

/** Words whose apostrophe is no quotation mark. */
const ELISIONS =
  "'n' 'tis 'twas 'twere 'twill 'twould 'til 'round 'neath 'tween 'gainst 'twixt 'Tis 'Twas 'Twere 'Twill 'Twould 'Til 'Round 'Neath"
const OWN_CASES = [...ELISIONS.split(' '), ...ELISIONS.replaceAll("'", '’').split(' ')].map((word): [string, string[]] => [word, [word]])
const unpack = promisify(gunzip)
const SUFFIX: Readonly<Record<Variety, string>> = { 'en-us': 'us', 'en-gb': 'gb' }

export const englishAsset = (name: string): string => fileURLToPath(new URL(`./assets/${name}`, import.meta.url))
export const readEnglishAsset = (name: string): Promise<Buffer> =>
  readFile(englishAsset(name)).catch((cause) => {
    throw new Failure('MODEL_NOT_INSTALLED', `The file ${name} of English pronunciation is missing. Install this program again.`, { cause })
  })
const readTable = async (name: string) => openJsonTable(await unpack(await readEnglishAsset(name)))

/** Each file is read once, until `forget`. Throws MODEL_NOT_INSTALLED. */
export function createEnglishAssets(): { readonly open: (variety: Variety) => Promise<EnglishAssets>; readonly forget: () => void } {
  const kept = new Map<string, Promise<unknown>>()
  const once = <T>(name: string, read: () => Promise<T>): Promise<T> => {
    const known = kept.get(name) as Promise<T> | undefined
    const reading = known ?? read()
    kept.set(name, reading)
    reading.catch(() => kept.delete(name))
    return reading
  }
  const readSpecial = async (): Promise<SpecialCases> => {
    const cases: unknown = JSON.parse((await readEnglishAsset('tokenizer_exceptions.json')).toString())
    return new Map([...Object.entries(z.record(z.string(), z.array(z.string())).parse(cases)), ...OWN_CASES])
  }
  const readLexicon = async (variety: Variety): Promise<Lexicon> => {
    const [gold, silver] = await Promise.all(['gold', 'silver'].map((kind) => readTable(`lexicon_${SUFFIX[variety]}_${kind}.json.gz`)))
    return createLexicon(gold!, silver!, variety === 'en-gb')
  }
  return {
    async open(variety) {
      const [lexicon, tag, special] = await Promise.all([
        once(variety, () => readLexicon(variety)),
        once('tagger', async () => createTagger(await readTable('tagger.json.gz'))),
        once('special', readSpecial),
      ])
      return { lexicon, tag, special }
    },
    forget: () => kept.clear(),
  }
}
