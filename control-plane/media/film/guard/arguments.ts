// The arguments that make ffmpeg and ffprobe read a foreign film and no other file or address that it names. Pure.
import { CONTAINERS } from '#control-plane/media/ffmpeg/decoder.ts'
import { SOURCE } from './guard.ts'

/** Limit for one allocation: a header may announce any size. */
const MAX_ALLOCATED_BYTES = 512 * 1024 * 1024
const MAX_PIXELS = 64 * 1024 * 1024
const QUIET = ['-hide_banner', '-loglevel', 'error', '-max_alloc', String(MAX_ALLOCATED_BYTES)]

/** The foreign film, by its fixed name. `before`: options of reading. Time stamps are made up where they lack, and broken packets are left out. */
export const foreignInput = (before: readonly string[] = [], name = SOURCE): string[] => [
  ...['-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS, '-max_pixels', String(MAX_PIXELS)],
  ...['-fflags', '+genpts+discardcorrupt', ...before, '-i', `file:${name}`],
]

/** A file that the studio wrote, in a format that is not guessed. */
export const ownInput = (format: string, name: string): string[] => ['-protocol_whitelist', 'file', '-f', format, '-i', `file:${name}`]

/** Files of equal samples that the studio wrote, read as one. */
export const ownPieces = (format: readonly string[], names: readonly string[]): string[] => [
  ...['-protocol_whitelist', 'file,concat', ...format, '-i', `concat:${names.map((name) => `file:${name}`).join('|')}`],
]

/** `name`: of the file in the folder of the run. */
export const ffprobeArguments = (asked: readonly string[], name: string = SOURCE): string[] => [
  ...QUIET,
  ...['-print_format', 'json', ...asked],
  ...['-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS, '-max_pixels', String(MAX_PIXELS), '-i', `file:${name}`],
]

/** `threads`: of decoders, filters and encoders. */
export const ffmpegArguments = (inputs: readonly (readonly string[])[], output: readonly string[], threads: number): string[] => [
  ...QUIET,
  ...['-nostdin', '-progress', 'pipe:3', '-stats_period', '0.5', '-filter_threads', String(threads)],
  ...inputs.flatMap((input) => ['-threads', String(threads), ...input]),
  ...['-threads', String(threads), '-y', ...output],
]
