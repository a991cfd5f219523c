// Implements the thirteen system calls of Flite's WebAssembly in memory: arguments, a constant clock and one writable file. It has no
// access to disk, environment or network. node:wasi would print a warning.

const OK = 0
const BAD_FILE = 8
const NO_ENTRY = 44
const NOT_SEEKABLE = 70
const FOLDER = 3 // the first descriptor after the standard three: the one open folder, "/"
const FILE = 4
const EVERY_RIGHT = 0xffff_ffff_ffff_ffffn

class Exit extends Error {}

/** Runs a command in a new instance and returns the content of the file `outputName`; empty when nothing was written. */
export function runCommand(module: WebAssembly.Module, args: readonly string[], outputName: string): Buffer {
  const encoded = args.map((argument) => Buffer.from(`${argument}\0`))
  const written: Buffer[] = []
  let memory: WebAssembly.Memory
  // Growing the memory detaches its buffer, so views are created for each call.
  const view = () => new DataView(memory.buffer)
  const bytes = (at: number, length: number) => Buffer.from(memory.buffer, at, length)
  const put32 = (at: number, value: number) => view().setUint32(at, value, true)

  const calls = {
    args_sizes_get(count: number, size: number) {
      put32(count, encoded.length)
      put32(size, Buffer.concat(encoded).length)
      return OK
    },
    args_get(pointers: number, at: number) {
      for (const [index, argument] of encoded.entries()) {
        put32(pointers + index * 4, at)
        argument.copy(bytes(at, argument.length))
        at += argument.length
      }
      return OK
    },
    clock_time_get(_clock: number, _precision: bigint, at: number) {
      view().setBigUint64(at, 0n, true)
      return OK
    },
    fd_close: () => OK,
    fd_fdstat_get(descriptor: number, at: number) {
      if (descriptor > FILE) return BAD_FILE
      bytes(at, 24).fill(0)
      view().setUint8(at, descriptor === FOLDER ? 3 : 4)
      view().setBigUint64(at + 8, EVERY_RIGHT, true)
      view().setBigUint64(at + 16, EVERY_RIGHT, true)
      return OK
    },
    fd_fdstat_set_flags: () => OK,
    fd_prestat_get(descriptor: number, at: number) {
      if (descriptor !== FOLDER) return BAD_FILE
      put32(at, 0)
      put32(at + 4, 1)
      return OK
    },
    fd_prestat_dir_name(_descriptor: number, at: number) {
      bytes(at, 1).write('/')
      return OK
    },
    fd_read(_descriptor: number, _buffers: number, _count: number, at: number) {
      put32(at, 0)
      return OK
    },
    fd_seek: () => NOT_SEEKABLE,
    fd_write(descriptor: number, buffers: number, count: number, at: number) {
      let total = 0
      for (let index = 0; index < count; index++) {
        const length = view().getUint32(buffers + index * 8 + 4, true)
        // Copied, because the memory is freed with the instance. Standard error is discarded.
        if (descriptor === FILE) written.push(Buffer.from(bytes(view().getUint32(buffers + index * 8, true), length)))
        total += length
      }
      put32(at, total)
      return OK
    },
    path_open(_folder: number, _lookup: number, name: number, length: number, _o: number, _b: bigint, _i: bigint, _f: number, at: number) {
      if (bytes(name, length).toString() !== outputName) return NO_ENTRY
      put32(at, FILE)
      return OK
    },
    proc_exit() {
      throw new Exit()
    },
  }
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: calls })
  memory = instance.exports['memory'] as WebAssembly.Memory
  try {
    ;(instance.exports['_start'] as () => void)()
  } catch (error) {
    if (!(error instanceof Exit)) throw error
  }
  return Buffer.concat(written)
}
