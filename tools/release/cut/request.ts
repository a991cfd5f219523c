// Reads the options of `release cut`, and cuts with the programs of the checkout.
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Misuse, parseArguments, ROOT } from '#cli/lib/command.ts'
import { execFileSync } from '#shared/runtime/child/process.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { nativePlatforms, PLATFORMS } from '#tools/release/natives.ts'
import { publicPem, signingKey } from './checksums.ts'
import { cutRelease, type ReleaseSteps } from './cut.ts'

const LONGEST_MS = 900_000
const OPTIONS = { out: { type: 'string' }, key: { type: 'string' }, 'dry-run': { type: 'boolean' } } as const

const node = (checkout: string, ...args: string[]) =>
  void execFileSync(process.execPath, args, { cwd: checkout, timeout: LONGEST_MS, stdio: ['ignore', 'pipe', 'inherit'] })

/** The programs of the checkout as children: this process has the modules of the version before. */
const STEPS: ReleaseSteps = {
  documents: (checkout) => node(checkout, 'cli/main.ts', 'docs'),
  build: (checkout, out) => node(checkout, 'tools/release/build.ts', out),
}

/** Returns the lines that the command prints. */
export function cutFor(args: readonly string[], cwd: string): string[] {
  const { values, positionals } = parseArguments(args, OPTIONS)
  const [version, ...more] = positionals
  if (version === undefined || values.out === undefined || more.length > 0) throw new Misuse('release cut needs VERSION --out DIR.')
  const out = resolve(cwd, values.out)
  if (existsSync(out) && readdirSync(out).length > 0) throw new Misuse(`The folder ${out} is not empty.`)
  const isDryRun = values['dry-run'] ?? false
  const missing = PLATFORMS.filter((platform) => !nativePlatforms().includes(platform))
  if (!isDryRun && missing.length > 0)
    throw new Misuse(`The binaries for ${missing.join(', ')} are not installed here. Run npm ci in a fresh checkout, and cut there.`)
  const key = values.key === undefined ? null : signingKey(resolve(cwd, values.key))
  const date = new Date(systemClock.now()).toISOString().slice(0, 10)
  const { commit, tag, files } = cutRelease({ root: ROOT, version, date, out, key, isDryRun, steps: STEPS })
  return [
    ...files.map((name) => join(out, name)),
    ...(key === null ? ['Not signed: no --key was given.'] : ['Signed. Its public key:', publicPem(key)]),
    ...(isDryRun
      ? [
          `Dry run: ${tag} was not made in this checkout.`,
          ...(missing.length > 0 ? [`Without the binaries for ${missing.join(', ')}.`] : []),
        ]
      : [`${tag} is commit ${commit}. Nothing was published: docs/releasing.md says what is next.`]),
  ]
}
