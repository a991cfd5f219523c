// A set of CUDA parts of a few bytes, as archives in a folder.
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CudaPart, CudaSet } from '#agent/gpu/cuda-parts.ts'
import { writeZip } from '#shared/archive/zip.ts'

async function partOf(folder: string, name: string, libraries: RegExp, entries: Readonly<Record<string, string>>): Promise<CudaPart> {
  const file = `${name}-1.0-py3-none-any.whl`
  const path = join(folder, file)
  await writeZip(
    path,
    Object.entries(entries).map(([entry, content]) => ({ name: entry, content })),
    null,
  )
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
  return { name, version: '1.0', file, bytes: statSync(path).size, sha256, libraries }
}

/** Writes the archives into `folder`. */
export async function smallSet(folder: string): Promise<CudaSet> {
  const parts = [
    await partOf(folder, 'provider-gpu', /^libonnxruntime_providers_(?:cuda|shared)\.so$/, {
      'x/capi/libonnxruntime_providers_cuda.so': 'provider'.repeat(2_000),
      'x/capi/libonnxruntime_providers_shared.so': 'shared',
      'x/capi/other.so': 'not wanted',
      'x/LICENSE': 'MIT',
    }),
    await partOf(folder, 'maker-cublas', /^libcublas(?:lt)?\.so\.13$/, {
      'nvidia/lib/libcublasLt.so.13': 'lt',
      'nvidia/lib/libcublas.so.13': 'blas',
      'maker.dist-info/licenses/License.txt': 'terms',
    }),
  ]
  return { runtime: '9.9.9', runtimeSha256: '0'.repeat(64), cuda: '13.0', installedBytes: 20_000, parts }
}
