// The program that bundles the web pages: a process of its own, so that a studio never holds the bundler. `build.ts FOLDER [COMMAND]` writes into a folder,
// which a release ships with the name of its COMMAND; without a folder it makes what this checkout lacks.

import { builtFolder } from './built.ts'

// A studio makes private files, and its umask is that of this process too. Every user may read the pages.
process.umask(0o022)
const [to, command] = process.argv.slice(2)
try {
  if (to === undefined) process.stdout.write(`${await builtFolder()}\n`)
  else {
    // Imported here, so that a bundler that is not installed is one line of text too.
    const { bundlePages } = await import('./bundle.ts')
    await bundlePages(command === undefined ? { to } : { to, command })
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
