// The voices in groups, and the ones that a search finds. Pure.

import { strings } from '#messages/shared.ts'
import type { VoiceRow } from '../lib/api-types.ts'
import type { VoiceChoice, Voices } from './rows.ts'
import { builtInRow, savedRow, speaking } from './rows.ts'

export type VoiceGroup = { id: string; name: string; rows: readonly VoiceChoice[] }

/** The group of the saved voices, and the one of the page. */
export const MINE = 'mine'
export const OWN = 'own'

/** The saved voices, then those of each engine; the order never changes with what is searched. */
export const voiceGroups = ({ profiles, engines }: Voices): VoiceGroup[] =>
  [
    { id: MINE, name: strings.myVoices, rows: profiles.map(savedRow) },
    ...speaking(engines).map((engine) => ({
      id: engine.id,
      name: strings.builtIn(engine.display_name),
      rows: engine.voices.map((voice) => builtInRow(engine, voice)),
    })),
  ].filter(({ rows }) => rows.length > 0)

const folded = (text: string) => text.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '')
const codeOf = (tag: string) => tag.split(/[-_]/)[0]?.toLowerCase() ?? ''

/** The languages of the voices, as codes. */
export const languagesOf = (groups: readonly VoiceGroup[]) => [
  ...new Set(groups.flatMap(({ rows }) => rows.map(({ language }) => codeOf(language))).filter((code) => code !== '')),
]

/** The saved voices with how they were made and what was written about them. */
export const describedVoices = ({ rows, ...group }: VoiceGroup, saved: readonly VoiceRow[]): VoiceGroup => ({
  ...group,
  rows: rows.map((row) => {
    const one = saved.find(({ id }) => id === row.value)
    const words = one ? [strings.voiceKinds[one.kind], one.description || one.instruct] : [row.about]
    return { ...row, about: words.filter(Boolean).join(' · ') }
  }),
})

type Search = {
  text: string
  /** '' for all */
  language: string
  /** value of a row that every language shows */
  kept: string
  /** the language counts for saved voices, too */
  isForSaved: boolean
}

/** The rows with these words and this language. */
export function foundVoices(groups: readonly VoiceGroup[], { text, language, kept, isForSaved }: Search): VoiceGroup[] {
  const words = folded(text).split(/\s+/).filter(Boolean)
  const code = codeOf(language)
  const isFound = ({ value, name, about, language: own }: VoiceChoice, isAny: boolean) =>
    words.every((word) => folded(`${name} ${about}`).includes(word)) &&
    (code === '' || isAny || own === '' || codeOf(own) === code || (value === kept && words.length === 0))
  return groups
    .map((group) => ({ ...group, rows: group.rows.filter((row) => isFound(row, group.id === MINE && !isForSaved)) }))
    .filter(({ rows }) => rows.length > 0)
}
