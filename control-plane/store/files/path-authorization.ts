// One-shot authorizations for paths of the file system. A program of the owner writes `<token>.json` into a private folder and sends the token
// with a request; the path never travels in the request itself. The studio claims the file by an atomic rename, so of two requests with the
// same token one succeeds. No route creates an authorization.
import { closeSync, constants, fstatSync, openSync, readSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { parseJson } from '#shared/protocol/json.ts'
import { emptyFolder, fileIn, privateFolder, writeAtomic } from '#shared/runtime/file.ts'
import type { Random } from '#shared/runtime/random.ts'

export const PATH_KINDS = ['models_dir', 'own_model', 'ffmpeg', 'ffprobe', 'dub_export', 'soni_input', 'soni_output_dir'] as const
export type PathKind = (typeof PATH_KINDS)[number]
export type PathAuthorizations = ReturnType<typeof createPathAuthorizations>

const FILE_BYTES = 16 * 1024
const TOKEN_BYTES = 32
const TOKEN = /^[0-9a-f]{64}$/
const Authorization = z.object({
  token: z.string().length(TOKEN_BYTES * 2),
  kind: z.enum(PATH_KINDS),
  path: z.string().max(4096),
})

/** The folder of the authorizations below the data directory. */
export const authorizationsFolder = (dataDir: string): string => join(dataDir, '.path-authorizations')

/** Writes an authorization for the owner's own programs and returns its token. `path` '' clears a setting. Throws disk errors. */
export function writePathAuthorization(
  folder: string,
  { kind, path }: { kind: PathKind; path: string },
  random: Pick<Random, 'hex'>,
): string {
  const token = random.hex(TOKEN_BYTES)
  writeAtomic(fileIn(privateFolder(folder), `${token}.json`), JSON.stringify({ token, kind, path }))
  return token
}

/** Deletes files that a crash left in the middle of a claim. Throws disk errors. */
export function createPathAuthorizations({ folder }: { readonly folder: string }) {
  privateFolder(folder)
  const claimed = emptyFolder(join(folder, '.claimed'))
  return {
    /**
     * The path of the authorization, which exists no longer afterwards, whether or not it was valid. Throws FORBIDDEN for a token that is
     * unknown, used, malformed, or meant for another kind.
     */
    claim(token: string, kind: PathKind): string {
      if (!TOKEN.test(token)) throw refused()
      const place = fileIn(claimed, token)
      try {
        renameSync(fileIn(folder, `${token}.json`), place)
      } catch (cause) {
        throw refused(cause)
      }
      try {
        const authorization = Authorization.parse(parseJson(readSmallFile(place), { bytes: FILE_BYTES }))
        if (authorization.token !== token || authorization.kind !== kind) throw refused()
        return authorization.path
      } catch (cause) {
        throw refused(cause)
      } finally {
        rmSync(place, { force: true, recursive: true })
      }
    },
  }
}

/** Throws for links, pipes, folders and files over the limit. */
function readSmallFile(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const found = fstatSync(file)
    if (!found.isFile() || found.size > FILE_BYTES) throw new Error('not a small regular file')
    const bytes = Buffer.alloc(found.size)
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))
  } finally {
    closeSync(file)
  }
}

const refused = (cause?: unknown) =>
  new Failure('FORBIDDEN', 'The path authorization is not valid. Choose the path again in the desktop application.', { cause })
