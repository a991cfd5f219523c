// The archetypes: recipes of designed voices that are ready to use. Built from tables without clock, chance or files, so two installations
// have the same list, byte for byte.
import { createHash } from 'node:crypto'
import { FEATURED_ENGLISH, ROLES } from './featured.ts'
import { attributesOf, instructOf, noAttributes } from './recipe.ts'
import { type ArchetypeRole, CHINESE, ENGLISH, ROLE_SCRIPTS } from './scripts.ts'
import { USE_CASES, type UseCase, useCaseOf } from './use-cases.ts'
import { AUTO, tokensOf, VOCABULARY, type VoiceChoices } from './words.ts'

/** An archetype in the form in which the routes answer it. */
export type Archetype = {
  readonly id: string
  readonly name: string
  /** The icon of its use case. */
  readonly icon: string
  readonly use_case: UseCase
  readonly instruct: string
  readonly attrs: VoiceChoices
  readonly facets: {
    readonly gender: string
    readonly age: string
    readonly pitch: string
    /** The token of the English accent; null without one. */
    readonly accent: string | null
    readonly whisper: boolean
    readonly lang: string
  }
  readonly sample_script: string
  readonly preview_url: null
  readonly is_featured: boolean
  /** The English name of the language. */
  readonly language: string
}
type Named = { readonly id: string; readonly name: string; readonly useCase: UseCase; readonly language: string; readonly script: string }

const PITCH_NAMES: Readonly<Record<string, string>> = {
  'very low pitch': 'Very deep',
  'low pitch': 'Deep',
  'moderate pitch': '',
  'high pitch': 'Bright',
  'very high pitch': 'Very bright',
}
const ID_DIGITS = 10

let built: readonly Archetype[] | null = null
/** The list, built by the first call: that takes as long as opening all areas of a studio, and many starts need none of it. */
export function archetypes(): readonly Archetype[] {
  built ??= buildArchetypes()
  return built
}

/** All archetypes in the order of the list: featured ones, then the English grid, then the Chinese one. */
export function buildArchetypes(): readonly Archetype[] {
  const featured = [...FEATURED_ENGLISH.map(featuredEnglish), ...Object.keys(ROLE_SCRIPTS).flatMap(inLanguage)]
  const known = new Set(featured.map(recipeOf))
  return [...featured, ...[...englishGrid(), ...chineseGrid()].filter((one) => !known.has(recipeOf(one)))]
}

/** Equal for two archetypes that sound alike. */
const recipeOf = ({ instruct, language }: Pick<Archetype, 'instruct' | 'language'>) => `${instruct}|${language}`

function archetype(attrs: VoiceChoices, { id, name, useCase, language, script }: Named): Archetype {
  const { Gender, Age, Pitch, Style, EnglishAccent } = attrs
  const accent = EnglishAccent === AUTO ? null : EnglishAccent
  return Object.freeze({
    id,
    name,
    icon: USE_CASES.find((row) => row.id === useCase)!.icon,
    use_case: useCase,
    instruct: instructOf(attrs),
    attrs: Object.freeze(attrs),
    facets: Object.freeze({ gender: Gender, age: Age, pitch: Pitch, accent, whisper: Style !== AUTO, lang: language }),
    sample_script: script,
    preview_url: null,
    is_featured: !id.startsWith('a_'),
    language,
  })
}

const featuredEnglish = ([name, useCase, instruct]: (typeof FEATURED_ENGLISH)[number], at: number): Archetype => {
  const id = `feat_${String(at + 1).padStart(2, '0')}_${name.toLowerCase().replaceAll(' ', '_')}`
  return archetype(attributesOf(instruct), { id, name, useCase, language: 'English', script: ENGLISH[useCase] })
}

function inLanguage(language: string): Archetype[] {
  const { code, ...scripts } = ROLE_SCRIPTS[language]!
  return ROLES.map(([role, useCase, instruct]) => {
    const names = { id: `ml_${code}_${role.toLowerCase()}`, name: `${language} ${role}` }
    return archetype(attributesOf(instruct), { ...names, useCase, language, script: scripts[role satisfies ArchetypeRole] })
  })
}

/** Voices that people do not have are left out. */
function isPlausible(age: string, pitch: string): boolean {
  if (age === 'child') return !pitch.endsWith('low pitch')
  if (age === 'teenager') return pitch !== 'very low pitch'
  return age !== 'elderly' || pitch !== 'very high pitch'
}

const people = (): VoiceChoices[] =>
  tokensOf('Gender').flatMap((Gender) =>
    tokensOf('Age').flatMap((Age) =>
      tokensOf('Pitch')
        .filter((pitch) => isPlausible(Age, pitch))
        .map((Pitch) => ({ ...noAttributes(), Gender, Age, Pitch })),
    ),
  )

function englishGrid(): Archetype[] {
  const accents = [AUTO, ...tokensOf('EnglishAccent')]
  return people().flatMap((person) => {
    const whispers =
      ['young adult', 'middle-aged', 'elderly'].includes(person.Age) && ['low pitch', 'moderate pitch'].includes(person.Pitch)
    return accents.flatMap((EnglishAccent) =>
      [AUTO, ...(whispers ? ['whisper'] : [])].map((Style) => generated({ ...person, Style, EnglishAccent }, 'English')),
    )
  })
}
const chineseGrid = (): Archetype[] =>
  people().flatMap((person) => tokensOf('ChineseDialect').map((ChineseDialect) => generated({ ...person, ChineseDialect }, 'Chinese')))

function generated(attrs: VoiceChoices, language: 'English' | 'Chinese'): Archetype {
  const useCase = useCaseOf(attrs)
  const digest = createHash('sha256')
    .update(recipeOf({ instruct: instructOf(attrs), language }))
    .digest('hex')
  const script = (language === 'English' ? ENGLISH : CHINESE)[useCase]
  return archetype(attrs, { id: `a_${digest.slice(0, ID_DIGITS)}`, name: nameOf(attrs), useCase, language, script })
}

/** Such as "Deep elderly man, whispering, British". */
function nameOf({ Gender, Age, Pitch, Style, EnglishAccent, ChineseDialect }: VoiceChoices): string {
  const isMale = Gender === 'male'
  const isYoung = Age === 'child' || Age === 'teenager'
  const age = { child: '', teenager: 'teenage', 'young adult': 'young' }[Age] ?? Age
  const noun = isYoung ? (isMale ? 'boy' : 'girl') : isMale ? 'man' : 'woman'
  const voice = [PITCH_NAMES[Pitch]!, age, noun].filter((word) => word !== '').join(' ')
  const accent = EnglishAccent.replace(' accent', '')
  const dialect = VOCABULARY.ChineseDialect.find(({ token }) => token === ChineseDialect)?.synonyms[0]
  const parts = [voice, Style === AUTO ? '' : 'whispering', accent === AUTO ? '' : capital(accent), dialect ? capital(dialect) : '']
  return capital(parts.filter((part) => part !== '').join(', '))
}
const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)
