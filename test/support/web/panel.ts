// The bundled web pages as a studio of this checkout sends them.
import { builtFolder } from '#control-plane/features/operate/system/pages/built.ts'
import { listWebFiles, versionOf, type WebFile } from '#control-plane/features/operate/system/web-files.ts'

/** By their names in addresses. */
export const panelFiles = async (): Promise<ReadonlyMap<string, WebFile>> => listWebFiles(await builtFolder())

/** The path of these files, which has the version of all of them. */
export const panelPath = async (): Promise<string> => `/panel/${versionOf(await panelFiles())}`
