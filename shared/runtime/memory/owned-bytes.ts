// Memory that its owner frees at once. V8 frees the memory of a dropped Buffer only when it collects garbage. Until then it counts the memory as
// growth of the heap, so passing sound makes it collect the whole heap again and again, which blocks the event loop.

/**
 * Call where the last reader of `bytes` has ended: they and all views of them are empty afterwards. Does nothing for bytes that share memory with
 * others, such as small buffers of Node.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

const FIRST_BYTES = 64 * 1024

/** Bytes one after the other in one piece of memory. */
export function createOwnedBytes() {
  let memory = new ArrayBuffer(0)
  let length = 0
  return {
    get length() {
      return length
    },
    append(bytes: Uint8Array): void {
      const needed = length + bytes.length
      if (needed > memory.byteLength) memory = memory.transfer(Math.max(FIRST_BYTES, needed, 2 * memory.byteLength))
      new Uint8Array(memory).set(bytes, length)
      length = needed
    },
    /** Shares the memory: it is empty after the next `append` or `free`. */
    view: (from: number, to: number): Buffer<ArrayBuffer> => Buffer.from(memory, from, to - from),
    free(): void {
      memory.transfer(0)
      memory = new ArrayBuffer(0)
      length = 0
    },
  }
}
