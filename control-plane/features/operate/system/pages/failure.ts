// Explains why the web pages cannot be shown, as a text for the owner of the studio.
import { join } from 'node:path'
import { COMMAND } from '#shared/protocol/version.ts'

/** The folder of this program. */
export const PROGRAM_ROOT = join(import.meta.dirname, '../../../../..')

/** The pages cannot be shown. The message is for the owner of the studio: it names folders of the machine. */
export class PagesNotBuilt extends Error {}

// By the text: the bundler is another process, and names errors of the disk as Rust does.
const FULL = /\b(?:ENOSPC|EDQUOT)\b|\(os error (?:28|122)\)/
const DENIED = /\b(?:EACCES|EPERM|EROFS)\b|\(os error (?:1|13|30)\)/
const MISSING = /\bENOENT\b|\bCannot find (?:package|module) '/
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** True if the system refuses access, which another user may have. */
export const isDenied = (error: unknown): boolean => DENIED.test(textOf(error))

/** The error as a PagesNotBuilt, with what helps where that is known. */
export function pagesNotBuilt(error: unknown): PagesNotBuilt {
  if (error instanceof PagesNotBuilt) return error
  const text = textOf(error)
  if (FULL.test(text)) return new PagesNotBuilt(`The disk is full. Free some space and try again.\n${text}`, { cause: error })
  if (MISSING.test(text)) {
    const remedy = `Files are missing in ${PROGRAM_ROOT}. Run ${COMMAND} there once, which installs its packages; if that does not help, install the program again.`
    return new PagesNotBuilt(`${text}\n${remedy}`, { cause: error })
  }
  const remedy = `Run "${COMMAND} setup --pages" in ${PROGRAM_ROOT} as a user who may write there, after each update.`
  return new PagesNotBuilt(isDenied(error) ? `${text}\n${remedy}` : text, { cause: error })
}
