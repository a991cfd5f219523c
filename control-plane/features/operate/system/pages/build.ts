// The program that bundles the web pages: a process of its own, so that a studio never holds the bundler. `build.ts FOLDER` writes into a folder,
// which a release ships; without a folder it makes what this checkout lacks.

import { builtFolder } from './built.ts'
import { bundlePages } from './bundle.ts'

const [to] = process.argv.slice(2)
try {
  if (to === undefined) process.stdout.write(`${await builtFolder()}\n`)
  else await bundlePages({ to })
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
