// list_languages: the languages of the engines that can speak now.
import { z } from 'zod'
import type { EnginesApi } from '#control-plane/features/machines/engines/api.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import { englishNameOf } from '#shared/text/languages/language-names.ts'
import { tool } from './tool.ts'

type Deps = { readonly engines: Pick<EnginesApi, 'tts'>; readonly offered: () => readonly Offer[] }
const ANY = '*'

export const listLanguages = ({ engines, offered }: Deps) =>
  tool({
    name: 'list_languages',
    title: 'List languages',
    description: 'Lists the languages of each engine that can speak now.',
    input: z.object({}),
    output: z.object({
      active_engine: z.string(),
      languages: z.array(z.object({ code: z.string(), name: z.string() })),
      engines: z.array(z.object({ engine: z.string(), any_language: z.boolean(), languages: z.array(z.string()) })),
      note: z.string(),
    }),
    readOnly: true,
    run() {
      const { active, backends } = engines.tts()
      const offers = offered().filter(({ operation }) => operation === 'tts')
      const rows = backends
        .filter(({ available }) => available)
        .map(({ id }) => {
          const tags = [...new Set(offers.filter(({ engine }) => engine === id).flatMap(({ languages }) => languages))].sort()
          return { engine: id, any_language: tags.includes(ANY), languages: tags.filter((tag) => tag !== ANY) }
        })
      const all = [...new Set(rows.flatMap(({ languages }) => languages))].sort()
      return {
        fields: {
          active_engine: active,
          languages: all.map((code) => ({ code, name: englishNameOf(code) ?? code })),
          engines: rows,
          note: 'An engine with any_language has no fixed list: it depends on the model, or on the program behind it.',
        },
      }
    },
  })
