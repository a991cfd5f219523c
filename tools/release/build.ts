// The files of a release, made in the checkout that this module is in: `node tools/release/build.ts DIR`. `release cut` runs it as a child in the
// commit of the version.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#cli/lib/command.ts'
import { VERSION } from '#shared/protocol/version.ts'
import { execFileSync } from '#shared/runtime/child/process.ts'
import { billOfMaterials } from './bom/bom.ts'
import { pack } from './pack.ts'

const GIT_MS = 60_000

/** Packs, and writes the bill of materials beside the packages. */
function build(out: string): void {
  const packed = pack({ out, draft: false })
  const committedAt = execFileSync('git', ['log', '-1', '--format=%cI'], { cwd: ROOT, timeout: GIT_MS }).trim()
  writeFileSync(join(out, `voice-studio-${VERSION}.cdx.json`), `${JSON.stringify(billOfMaterials(packed, committedAt), null, 2)}\n`)
}

const [out] = process.argv.slice(2)
if (out !== undefined) build(out)
