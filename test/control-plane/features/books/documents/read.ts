// Reads documents as the child process does, without a process.
import { readDocx } from '#control-plane/features/books/reading/docx/docx.ts'
import { readOdt } from '#control-plane/features/books/reading/odt/odt.ts'
import type { RawEntry } from '#test/support/archive/raw-zip.ts'

export function filesOf(entries: readonly RawEntry[]) {
  const files = new Map(entries.map(({ name, content }) => [String(name).toLowerCase(), Buffer.from(content as string)]))
  return { names: [...files.keys()], read: (name: string) => files.get(name) ?? null }
}
export const docx = (entries: readonly RawEntry[]) => readDocx(filesOf(entries))
export const odt = (entries: readonly RawEntry[]) => readOdt(filesOf(entries))

type Read = { readonly chapters: readonly { readonly title: string; readonly text: string; readonly included: boolean }[] }

/** The chapters that are read as one text, so that a test says in which order. */
export const told = ({ chapters }: Read): string =>
  chapters
    .filter(({ included }) => included)
    .map(({ title, text }) => (title === '' ? text : `# ${title}\n\n${text}`.trim()))
    .join('\n\n')

/** Titles of the chapters that are read. */
export const titles = ({ chapters }: Read): string[] => chapters.filter(({ included }) => included).map(({ title }) => title)

/** The words that are read, without the marks of layout, which have tests of their own. */
export const words = (book: Read): string =>
  told(book)
    .replaceAll(/^(?:#+ |- |> |\d+\. |\| )/gm, '')
    .replaceAll(/[|*\\]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
