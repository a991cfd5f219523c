// Parses the voice list of eSpeak NG and finds the voice for a language. Pure.
import type { EngineVoice } from '#agent/engine/seam/engine.ts'

/** Common codes for languages that eSpeak NG lists under another code. */
const ALIASES: Readonly<Record<string, string>> = { zh: 'cmn', no: 'nb', iw: 'he', in: 'id', ji: 'yi' }
const PREFERRED: Readonly<Record<string, string>> = { en: 'en-us' }
const ROW = /^\s*\d+\s+(\S+)\s+\S+\s+(\S+)\s+(\S+)/

/** Language of a task that names none. */
export const DEFAULT_LANGUAGE = 'en'

/** `listing`: output of --voices. The id is the language tag, as for -v; the first voice of a tag is used. */
export function parseVoices(listing: string): EngineVoice[] {
  const voices = new Map<string, Omit<EngineVoice, 'defaultFor'>>()
  for (const line of listing.split('\n')) {
    const [, tag, name, file] = ROW.exec(line) ?? []
    // The program finds no voice by a tag with capitals, such as that of Cherokee, but by its file.
    const id = tag && /[A-Z]/.test(tag) ? file?.split('/').at(-1) : tag
    // The id becomes an argument of the program, so it must not look like an option or a path.
    if (!id || !name || !/^[a-z][A-Za-z0-9-]{0,31}$/.test(id) || voices.has(id)) continue
    voices.set(id, { id, name: name.replaceAll('_', ' ').slice(0, 200), language: id })
  }
  const all = [...voices.values()]
  const defaults = Map.groupBy([...languagesOf(all), ''], (code) => voiceFor(all, code || DEFAULT_LANGUAGE)?.id)
  return all.map((voice) => ({ ...voice, defaultFor: [...new Set([voice.id.toLowerCase(), ...(defaults.get(voice.id) ?? [])])] }))
}

const primary = (tag: string): string => tag.split('-')[0]!

/** Language codes of the voices, aliases included. */
export function languagesOf(voices: readonly EngineVoice[]): string[] {
  const codes = new Set(voices.map(({ id }) => primary(id)))
  for (const [alias, code] of Object.entries(ALIASES)) if (codes.has(code)) codes.add(alias)
  return [...codes].sort()
}

/** The nearest voice for a tag (`pt-BR`, `zh`) or an English name (`German`); undefined when no voice speaks the language. */
export function voiceFor(voices: readonly EngineVoice[], language: string): EngineVoice | undefined {
  const tag = language.trim().toLowerCase().replaceAll('_', '-')
  const byId = (id: string | undefined) => voices.find((voice) => voice.id.toLowerCase() === id)
  const exact = byId(tag)
  if (exact) return exact
  const named = voices.find(({ name }) => name.toLowerCase().split(' (')[0] === tag)
  const code = named ? primary(named.id) : (ALIASES[primary(tag)] ?? primary(tag))
  return byId(PREFERRED[code]) ?? byId(code) ?? byId(`${code}-${code}`) ?? voices.find(({ id }) => id.startsWith(`${code}-`)) ?? named
}
