// Chapters around the text of a book: contents, index, bibliography, notes, copyright, by title, position and shape. Pure.

import { type Block, type ChapterDraft, flatText } from './block.ts'
import { WHY } from './why.ts'

const CONTENTS =
  /^(?:(?:table of )?contents|inhalt(?:sverzeichnis|sübersicht)?|table des matières|sommaire|índice(?: general| de contenidos?)?|contenidos?|indice(?: generale)?|sommario|sumário|inhoud(?:sopgave)?|spis treści|содержание|оглавление|目次|目录)[.:]?$/iu
const LISTS =
  /^(?:(?:list of )?(?:illustrations|figures|plates|maps|tables)|(?:abbildungs|tabellen)verzeichnis|table des illustrations|índice de (?:figuras|ilustraciones))[.:]?$/iu
const INDEX =
  /^(?:(?:general|subject|name)? ?index(?: of [\p{L} ]{1,40})?|(?:stichwort|sach|personen|namen)?(?:register|verzeichnis)|index (?:général|des noms)|índice (?:alfabético|onomástico|analítico|remissivo)|indice (?:analitico|dei nomi)|(?:zaken|namen)?register|indeks|указатель)[.:]?$/iu
const BIBLIOGRAPHY =
  /^(?:(?:selected?|general|works)? ?(?:bibliography|references|works cited|literature cited)|(?:suggestions for )?further reading|literatur(?:verzeichnis|hinweise)?|quellen(?:verzeichnis)?|bibliogra(?:ph|f)i[aeí]a?|références|referencias|riferimenti|referências|literatuur|библиография|литература)[.:]?$/iu
const NOTES = /^(?:(?:foot|end)?notes(?: to [\p{L} ]{1,40})?|anmerkungen|fußnoten|endnoten|notas?|note|noten|przypisy|примечания)[.:]?$/iu
const COPYRIGHT_TITLE = /^(?:copyright(?: page| notice)?|impressum|imprint|mentions légales|créditos)[.:]?$/iu
const COPYRIGHT: readonly RegExp[] = [
  /©|\(c\) ?\d{4}|copyright\s/iu,
  /all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos|tutti i diritti|todos os direitos/iu,
  /\bisbn\b/iu,
  /no part of this (?:book|publication|work)|kein teil (?:des|dieses) /iu,
  /printed (?:in|by)|gedruckt in|imprimé (?:en|par)|impreso en/iu,
  /first (?:published|edition|printing)|erstausgabe|\d\. auflage|published by|library of congress|cataloguing[- ]in|a catalogue record/iu,
  /cover (?:design|art|image|illustration) by|umschlaggestaltung/iu,
]
const LONGEST_COPYRIGHT = 8_000
const SHORT_COPYRIGHT = 1_500
const PAGES = /[,\s.…]\s?(?:\d{1,4}(?:\s?[-–]\s?\d{1,4})?|[ivxlc]{1,6})(?:,?\s?n\.?)?[.;]?$/iu
const SEE = /(?:^|[.,;]\s)(?:see(?: also)?|siehe|voir|véase|vedi)\s/iu
const YEAR = /(?:^|\D)1[5-9]\d{2}|20\d{2}(?!\d)/u
const NUMBERED = /^[[({]?(?:\d{1,4}|[*†‡]{1,3})[\])}.]?\s/u
/** Chapters at the start of a book that can be its contents or its copyright page. */
const FRONT = 8
const FRONT_SHARE = 0.15

const lengthOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { text }) => sum + text.length, 0)
const shareOf = (blocks: readonly Block[], test: (block: Block) => boolean): number =>
  blocks.length === 0 ? 0 : blocks.filter(test).length / blocks.length

/** The drafts with a reason for each that is no text of the book. */
export function withMatterFound(drafts: readonly ChapterDraft[]): ChapterDraft[] {
  const lengths = drafts.map(({ blocks }) => lengthOf(blocks))
  const total = lengths.reduce((sum, each) => sum + each, 0)
  const titles = new Set(drafts.filter(({ isListed }) => isListed).map(({ title }) => title.toLowerCase()))
  let before = 0
  return drafts.map((draft, at) => {
    const share = total === 0 ? 0 : before / total
    before += lengths[at]!
    if (draft.why !== null) return draft
    const isFront = at < FRONT || share < FRONT_SHARE
    const isBack = at > 0 && (share >= 0.5 || at >= drafts.length / 2)
    return { ...draft, why: matterOf(draft, { isFront, isBack, titles }) }
  })
}

/** The reason for a page that the contents do not name, and that stands behind `before` others; null for text. */
export const matterOfPage = (blocks: readonly Block[], before: number, titles: ReadonlySet<string>): string | null =>
  matterOf({ title: '', blocks }, { isFront: before < FRONT, isBack: before > 0, titles })

/** `titles`: in the contents of the book, in lower case. */
type Position = { readonly isFront: boolean; readonly isBack: boolean; readonly titles: ReadonlySet<string> }

function matterOf({ title, blocks }: Pick<ChapterDraft, 'title' | 'blocks'>, { isFront, isBack, titles }: Position): string | null {
  const lines = blocks.filter(({ kind, part }) => kind !== 'heading' && kind !== 'break' && (part === null || part.isNote))
  if (lines.length === 0) return null
  const headings = blocks.filter(({ kind }) => kind === 'heading').slice(0, 1)
  const names = [title, ...headings.map(flatText)]
  const isNamed = (pattern: RegExp) => names.some((name) => pattern.test(name.trim()))
  const linked = lines.reduce((sum, block) => sum + Math.min(block.linked, block.text.length), 0)
  const isLinked = linked >= lengthOf(lines) * 0.6
  const hasPages = shareOf(lines, ({ text }) => PAGES.test(text))
  const isListing = isLinked || hasPages >= 0.5 || shareOf(lines, (block) => titles.has(flatText(block).toLowerCase())) >= 0.5
  if (isListing && isNamed(CONTENTS)) return WHY.contents
  if (isListing && isNamed(LISTS)) return WHY.pictures
  if (isFront && linked >= lengthOf(lines) * 0.8 && lines.filter((block) => block.linked > 0).length >= 3) return WHY.contents
  if (isBack) {
    if (isNamed(INDEX) && shareOf(lines, ({ text, linked: links }) => links > 0 || PAGES.test(text) || SEE.test(text)) >= 0.5)
      return WHY.index
    if (isNamed(BIBLIOGRAPHY) && shareOf(lines, ({ text }) => YEAR.test(text)) >= 0.3) return WHY.bibliography
    if (isNamed(NOTES) && shareOf(lines, ({ text, isLabelled, part }) => isLabelled || part?.isNote === true || NUMBERED.test(text)) >= 0.4)
      return WHY.endnotes
  }
  const length = lengthOf(blocks)
  if (length <= LONGEST_COPYRIGHT && (isFront || isBack)) {
    const text = lines.map((block) => block.text).join('\n')
    const signs = COPYRIGHT.filter((sign) => sign.test(text)).length
    // A story may end with a line of rights.
    const isDense = length <= SHORT_COPYRIGHT || shareOf(lines, (block) => COPYRIGHT.some((sign) => sign.test(block.text))) >= 0.25
    if ((signs >= 3 && isDense) || (signs >= 1 && isNamed(COPYRIGHT_TITLE)) || (signs === 2 && length < 600)) return WHY.copyright
  }
  return null
}
