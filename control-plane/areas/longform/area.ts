import { join } from 'node:path'
import { defineArea } from '../define.ts'
import { createCovers } from './cover/covers.ts'
import { importRoutes } from './import/import.routes.ts'
import { createImports } from './import/import.service.ts'
import { createReaderProcess } from './import/reader-process.ts'
import { planRoutes } from './plan/plan.routes.ts'

export const longformArea = defineArea({
  name: 'longform',
  needs: [],
  open: ({ clock, dataDir, random, uploadDisk }) => {
    const covers = createCovers({ folder: join(dataDir, 'covers'), random })
    const imports = createImports({ read: createReaderProcess({ clock }), covers, uploadDisk })
    return { routes: [...planRoutes(), ...importRoutes(imports, covers)], api: null }
  },
})
