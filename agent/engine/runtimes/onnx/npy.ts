// Reads NumPy's .npy format: one array of little-endian floats in row order.

export type FloatArray = { readonly dims: readonly number[]; readonly values: Float32Array }

/** Throws RangeError. */
export function readNpy(bytes: Buffer): FloatArray {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 6) !== '\x93NUMPY') throw new RangeError('it is not an array')
  const isLong = bytes[6]! >= 2
  const headerLength = isLong ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8)
  const from = (isLong ? 12 : 10) + headerLength
  const header = bytes.toString('latin1', isLong ? 12 : 10, from)
  const shape = /'shape':\s*\(([\d,\s]{0,200})\)/.exec(header)
  if (!shape || !/'descr':\s*'<f4'/.test(header) || !/'fortran_order':\s*False/.test(header))
    throw new RangeError('it is not an array of little-endian floats')
  const dims = shape[1]!
    .split(',')
    .map((size) => size.trim())
    .filter((size) => size !== '')
    .map(Number)
  const count = dims.reduce((product, size) => product * size, 1)
  if (bytes.length - from !== count * 4) throw new RangeError('its header announces another number of values')
  const values = new Float32Array(count)
  for (let at = 0; at < count; at++) values[at] = bytes.readFloatLE(from + at * 4)
  return { dims, values }
}
