// The fenced blocks of documents: which of them a test runs, and which carry a mark with the reason why none does.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lexer, type Token, type Tokens } from 'marked'
import { REPOSITORY } from '#test/support/world/cli.ts'

/** Languages of blocks that are run, and of those that are no commands. */
export const RUN: ReadonlySet<string> = new Set(['sh', 'python', 'ts'])
export const SHOWN: ReadonlySet<string> = new Set(['json', 'yaml', 'text', 'mermaid', 'nginx', 'caddy', 'apache', 'ini'])
/** Reasons why a block is not run. */
export const REASONS: ReadonlySet<string> = new Set([
  'container engine',
  'cluster',
  'card',
  'registry',
  'network',
  'service manager',
  'other system',
  'long',
])
const MARK = /^\s*<!-- not run: ([a-z ]+) -->\s*$/

export type Block = {
  readonly document: string
  readonly language: string
  readonly text: string
  readonly isFenced: boolean
  /** The reason of its mark; null for a block without one. */
  readonly mark: string | null
}

/** README.md first: its first block starts the studio. */
export const documentsWithBlocks = (): readonly string[] => [
  'README.md',
  ...readdirSync(join(REPOSITORY, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
]

/** The blocks of a document in their order, also those of lists. */
export function blocksIn(document: string, markdown: string): Block[] {
  const blocks: Block[] = []
  const visit = (tokens: readonly Token[]) => {
    let mark: string | null = null
    for (const token of tokens) {
      if (token.type === 'html') mark = MARK.exec(token.raw)?.[1] ?? null
      if (token.type === 'space' || token.type === 'html') continue
      if (token.type === 'code') {
        const { text, lang, codeBlockStyle } = token as Tokens.Code
        blocks.push({ document, language: lang ?? '', text, isFenced: codeBlockStyle !== 'indented', mark })
      }
      mark = null
      if (token.type === 'list') for (const { tokens: inner } of (token as Tokens.List).items) visit(inner)
      else if (token.type === 'blockquote') visit(token.tokens ?? [])
    }
  }
  visit(lexer(markdown))
  return blocks
}

export const allBlocks = (): Block[] =>
  documentsWithBlocks().flatMap((path) => blocksIn(path, readFileSync(join(REPOSITORY, path), 'utf8')))

/** A marked block as a line of marks.txt. */
export const lineOfMark = ({ document, mark, text }: Block): string => `${document} | ${mark} | ${text.split('\n', 1)[0]!.trim()}`
