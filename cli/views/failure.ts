// Errors as a sentence for a person, with the next step.

import { ZodError } from 'zod'
import { COMMAND } from '#shared/protocol/version.ts'

/** Errors of the operating system that a command meets with files of the user. */
const SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: 'The folder or file does not exist. Check the path.',
  ENOTDIR: 'A part of the path is not a folder. Check the path.',
  EISDIR: 'The path is a folder. Name a file in it.',
  EACCES: 'Permission is denied. Choose another path, or change its permissions.',
  EPERM: 'Permission is denied. Choose another path, or change its permissions.',
  EROFS: 'The file system is read-only. Choose another path.',
  ENOSPC: 'The disk is full. Free some space and try again.',
  EEXIST: 'The file exists already. Choose another name.',
}

/** The studio ended, or a program between it and the command did, before the answer was complete. */
const CUT: readonly string[] = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']

export function sentenceOf(error: unknown): string {
  if (error instanceof ZodError)
    return 'The answer cannot be read. The program that answered may have another version; update the older one and restart it.'
  if (!(error instanceof Error)) return String(error)
  const { code, path } = error as NodeJS.ErrnoException
  if (code !== undefined && CUT.includes(code))
    return `The studio closed the connection before its answer was complete. See whether it runs with ${COMMAND} doctor, then run the command again.`
  const system = code === undefined ? undefined : SYSTEM[code]
  return system === undefined ? error.message : `${path === undefined ? '' : `${path}: `}${system}`
}
