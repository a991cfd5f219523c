// The groups that the list shows: by words, by language, and a few rows of each until all are asked for.

import { strings } from '#messages/library/voice-picker.ts'
import { useMemo, useState } from '../lib/html.ts'
import { useRead } from '../lib/read.ts'
import { isSameLanguage } from '../pages/dub/languages.ts'
import type { VoiceGroup } from './groups.ts'
import { describedVoices, foundVoices, languagesOf, MINE, OWN, voiceGroups } from './groups.ts'
import type { OwnChoice } from './picker.tsx'
import { ownRow } from './picker.tsx'
import type { VoiceChoice, Voices } from './rows.ts'

/** Rows of a group until all are asked for. */
const FEW = 5

/** `total`: rows that were found */
export type ShownGroup = { group: VoiceGroup; total: number; rows: readonly VoiceChoice[] }

/** The first rows of a group, with the chosen one among them. */
function fewOf({ rows }: VoiceGroup, chosen: string): readonly VoiceChoice[] {
  const at = rows.findIndex(({ value }) => value === chosen)
  const chosenRow = at >= FEW ? rows.slice(at, at + 1) : []
  return [...chosenRow, ...rows.slice(0, FEW - chosenRow.length)]
}

/** The search begins with the language of the text, if a voice speaks it. */
export function useFound({
  chosen,
  isKnown,
  own,
  voices,
  language: textLanguage,
}: {
  chosen: VoiceChoice
  isKnown: boolean
  own: readonly OwnChoice[]
  voices: Voices
  language: string
}) {
  const groups = useMemo(() => voiceGroups(voices), [voices.profiles, voices.engines])
  const codes = useMemo(() => languagesOf(groups), [groups])
  const [text, setText] = useState('')
  const [language, setLanguage] = useState(() => codes.find((code) => textLanguage !== '' && isSameLanguage(code, textLanguage)) ?? '')
  // A saved voice speaks other languages than that of its recording, so the language of the text leaves out none of them.
  const [isOwnLanguage, setOwnLanguage] = useState(false)
  const [open, setOpen] = useState([] as readonly string[])
  const saved = useRead('/profiles')
  const isSearching = text.trim() !== ''
  const shown: readonly ShownGroup[] = useMemo(() => {
    const mine = { id: OWN, name: strings.byDefault, rows: [...own.map(ownRow), ...(isKnown ? [] : [chosen])] }
    const described = groups.map((group) => (group.id === MINE ? describedVoices(group, saved.value ?? []) : group))
    const all = foundVoices([mine, ...described], { text, language, kept: chosen.value, isForSaved: isOwnLanguage })
    return all.map((group) => ({
      group,
      total: group.rows.length,
      rows: isSearching || open.includes(group.id) ? group.rows : fewOf(group, chosen.value),
    }))
  }, [groups, saved.value, own, text, language, isOwnLanguage, open, chosen.value])
  return {
    shown,
    codes,
    text,
    setText,
    language,
    isSearching,
    chooseLanguage(code: string) {
      setLanguage(code)
      setOwnLanguage(true)
    },
    openAll: (group: string) => setOpen([...open, group]),
  }
}
