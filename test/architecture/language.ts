// The words of the project, as functions from files to objections: identifiers and phrases that CONTRIBUTING.md rules out, and texts
// for users that must be full sentences.
import type { Source } from './source.ts'

/** Parts of names that say nothing: an exported thing or a file can be named for what it is. */
const EMPTY_PARTS =
  /^(managers?|handlers?|processors?|helpers?|utils?|utility|utilities|common|data|info|do|perform|execute|misc|stuff|things?)$/i
/** Parts of identifiers that personify a program, or that are no words of technical English. */
const DIALECT_PARTS = /^(told|heard|hearing|ears|wish|wishes|wished|doors?|outside|whoever|whatever|somebody|nobody|shall)$/i
/** Phrases of comments, messages and documents that plain technical English does not use. */
const FORBIDDEN_PHRASES =
  /\b(shall|whoever|whosoever|whomever|whatever|nobody|somebody|anew|thereof|hence|lest|come to nothing|comes to nothing|came to nothing|is said so|what is told)\b/i

/** Files whose words are not ours: the licence, texts that other programs were measured with, and this rule itself. */
const FOREIGN =
  /^(?:(?:.*\/)?LICENSE$|package-lock\.json|toolchain\/package-lock\.json|test\/golden\/.*\.(?:tsv|jsonl?)$|test\/architecture\/)/

/** The start of a doc comment, or of the header of a file, that does not name its subject: "Of the file", "Whether it works". */
const WITHOUT_SUBJECT = /(?:\/\*\*\s+(?:\*\s+)?|^(?:#!.*\n)?\/\/ )(what|whether|of|as|how|why|which|who|whose|where)\b/gi

const EXPORTED = /^export (?:async )?(?:const|let|function\*?|class|type)\s+(\w+)/gm
const DECLARED = /\b(?:const|let|function\*?|class|type)\s+(\w+)|\breadonly (\w+)\??:/g
const hasPart = (name: string, part: RegExp) => name.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/).some((word) => part.test(word))

/** File names and exported names with an empty part; outside tests also declared names with a dialect part. */
export const forbiddenNames = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ path, text }) => {
    const names = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name, property]) => name ?? property ?? '')
    const empty = [path, ...names(EXPORTED)].filter((name) => hasPart(name, EMPTY_PARTS))
    const dialect = path.startsWith('test/') ? [] : [path, ...names(DECLARED)].filter((name) => hasPart(name, DIALECT_PARTS))
    return [...new Set([...empty, ...dialect])].map((name) => (name === path ? path : `${path}: ${name}`))
  })

/** Lines with a forbidden phrase. */
export const forbiddenPhrases = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => !FOREIGN.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const [phrase] = FORBIDDEN_PHRASES.exec(line) ?? []
        return phrase === undefined ? [] : [`${path}:${index + 1}: ${phrase}`]
      }),
    )

/** Comments that do not name their subject: the line, and the word that they begin with. */
export const commentsWithoutSubject = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ path, text }) =>
    [...text.matchAll(WITHOUT_SUBJECT)].map(({ 0: start, 1: word, index }) => {
      const line = text.slice(0, index + start.length).split('\n').length
      return `${path}:${line}: ${word}`
    }),
  )

/** Failure codes whose hint is not a sentence: a capital at its start, a period at its end. */
export const hintsThatAreNoSentences = (failures: Readonly<Record<string, { readonly hint: string }>>): string[] =>
  Object.entries(failures).flatMap(([code, { hint }]) => (/^[A-Z].*[.]$/s.test(hint) ? [] : [`${code}: ${hint}`]))
