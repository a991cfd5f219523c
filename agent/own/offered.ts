// Facts about the files of an addition, read with limits and without any runtime: names, sizes, the inputs and outputs of graphs, and the
// tables of voices. Everything here comes from strangers.
import { lstat, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type FieldBudget, fieldBudget, readSignature, type Signature } from '#agent/engine/runtimes/onnx/signature.ts'
import { npzTables } from '#agent/engine/tts/kittentts/npz.ts'
import { ADDITION_LIST, OWN_LIMITS } from '#shared/models/own.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { cleanLine } from '#shared/protocol/fields/clean-text.ts'

/** A table of one voice. */
export type Table = { readonly name: string; readonly rows: number; readonly columns: number }
export type Offered = {
  /** Original name, with its folders; from a zip file in lower case. */
  readonly name: string
  /** Current path. */
  readonly path: string
  readonly size: number
  /** Signature of an ONNX file; null for another file. */
  readonly graph: Signature | null
  /** Reason why a file that is called a graph is none; '' otherwise. */
  readonly fault: string
  /** Tables in an archive of voices; null for another file. */
  readonly tables: readonly Table[] | null
}

const List = z.array(z.string().min(1).max(OWN_LIMITS.nameLength)).min(1).max(OWN_LIMITS.files)
const ARCHIVE_BYTES = 64 * 1024 ** 2
/** No model has more. Reading each costs time, also on a machine that others lend. */
const MOST = { graphs: 40, archives: 4 } as const
const ZIP = 'PK\x03\x04'

/** The last part of the name. */
export const bare = ({ name }: Pick<Offered, 'name'>): string => name.slice(name.lastIndexOf('/') + 1)

/** The files in the folder of an addition. `budget`: of all graphs. Throws NOT_FOUND for a folder that is gone, BAD_REQUEST for a wrong list. */
export async function readOffered(folder: string, signal: AbortSignal, budget = fieldBudget()): Promise<Offered[]> {
  const list = await readFile(join(folder, ADDITION_LIST), 'utf8').catch((cause: unknown) => {
    throw new Failure('NOT_FOUND', 'The files are not there any more. Add them again.', { cause })
  })
  const offered: Offered[] = []
  const read = { graphs: 0, archives: 0 }
  for (const [at, raw] of namesIn(list).entries()) {
    signal.throwIfAborted()
    const path = join(folder, String(at))
    const found = await lstat(path)
    if (!found.isFile()) throw new Failure('NOT_FOUND', 'The files are not there any more. Add them again.')
    const name = cleanLine(raw).replaceAll('\\', '/')
    const { size } = found
    offered.push({
      name,
      path,
      size,
      ...(!/\.onnx$/i.test(name)
        ? { graph: null, fault: '' }
        : read.graphs++ < MOST.graphs
          ? await graphOf(path, budget, signal)
          : TOO_MANY),
      tables:
        /\.(?:npz|bin)$/i.test(name) && size <= ARCHIVE_BYTES && (await beginsAsZip(path)) && read.archives++ < MOST.archives
          ? await tablesOf(path, signal)
          : null,
    })
  }
  return offered
}

function namesIn(list: string): string[] {
  try {
    return List.parse(JSON.parse(list))
  } catch (cause) {
    throw new Failure('BAD_REQUEST', 'The list of the files is not valid. Add them again.', { cause })
  }
}

const TOO_MANY = { graph: null, fault: `there are more than ${MOST.graphs} graphs` } as const

async function graphOf(path: string, budget: FieldBudget, signal: AbortSignal): Promise<{ graph: Signature | null; fault: string }> {
  try {
    return { graph: await readSignature(path, budget, signal), fault: '' }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { graph: null, fault: error.message }
  }
}

async function tablesOf(path: string, signal: AbortSignal): Promise<Table[] | null> {
  const tables: Table[] = []
  try {
    for await (const { name, rows, columns } of npzTables(await readFile(path, { signal }))) {
      signal.throwIfAborted()
      tables.push({ name, rows, columns })
    }
    return tables
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Failure) return null // a zip file of another kind
    throw error
  }
}

async function beginsAsZip(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(ZIP.length), 0, ZIP.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === ZIP
  } finally {
    await file.close()
  }
}
