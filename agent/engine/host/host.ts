// The entry of the engine host. It loads the program itself last, because only later imports are resolved our way.
import '#shared/runtime/builtin/imports.ts'

await import('./program.ts')
