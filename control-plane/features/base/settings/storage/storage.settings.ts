import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'
import { COMMAND } from '#shared/protocol/version.ts'

export const storageSettings = {
  modelsDir: setting({
    key: 'storage.models_dir',
    access: 'own',
    schema: z
      .string()
      .max(4096)
      .refine((path) => path === '' || (isAbsolute(path) && !path.includes('\0'))),
    fallback: '',
    env: 'STUDIO_MODELS_DIR',
    summary: "The folder of the models of the studio's own agent; empty for the default. In effect after the next start.",
    changedBy: `Choose the folder in the settings or with ${COMMAND} settings set storage.models_dir, which authorizes the path.`,
  }),
}
