// A child of a trial that names the library on standard error, and answers with the rest. A driver then hangs in its clean-up.
process.stderr.write('Failed to load library with error: libcublasLt.so.13: cannot open shared object file: No such file or directory\n')
process.send!({ kind: 'failed', message: 'Failed to load shared library' }, () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
